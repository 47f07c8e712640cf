"""Modules that the scripts of tests and bench share. xtask puts tests/ into PYTHONPATH."""

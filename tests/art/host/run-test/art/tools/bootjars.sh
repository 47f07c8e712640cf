#!/bin/bash
# AOSP's list of boot jars: javac-helper.sh needs none.

mod lines;
mod names;

//! Shards of simulated sessions: the tables beside the model that one `train` would give, the same
//! bytes whatever the order, the packing and the number of cores, and logs that cannot be used.

mod damage;
mod dims;
mod packing;
mod same;
mod support;

//! Information that counts of edges give about paths, and effects of recording on the recorded
//! program.
//!
//! - [`flow_graph`]: decides if the counts of a method's edges determine the counts of its paths,
//!   and bounds each path's count where they do not.
//! - [`method_graph`]: the graph of a method, made acyclic as Ball and Larus do it.
//! - [`bounds`]: the same for the counts of a device, where calls and exceptions are not counted.
//! - [`information`]: information that is lost when two dependent branches are counted separately.
//! - [`identity`]: one number for the path of a callback, and the probability that two paths share
//!   one.
//! - [`selected`], [`automaton`], [`operation`]: paths that a user selected, recognition of the
//!   path that an activation takes, and the operations on each edge that this needs.
//! - [`encodings`]: published methods to count paths, for comparison.
//! - [`placement`]: edges that have to be counted so that the others' counts follow.
//! - [`bias`]: loops and recursion that are recorded to a limit only, probes that slow down the
//!   code that they observe, and samples.
//! - [`truncation`]: error of the shares of paths where some passes were cut short.
//!
//! # Worked numbers
//!
//! Each module's page has its own examples. These go across modules.
//!
//! ```
//! use model::path_profiles::encodings::{acyclic, graph::Graph};
//! use model::path_profiles::flow_graph::FlowGraph;
//! use model::path_profiles::information::mutual_information;
//!
//! // Two diamonds, all arms 50 times of 100: 50 times left-left and 50 right-right, or 25 of each.
//! let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
//! let graph = FlowGraph::new(7, edges.to_vec())?;
//! let paths = [[0, 2, 4, 6], [0, 2, 5, 7], [1, 3, 4, 6], [1, 3, 5, 7]];
//! let sums = |ran: [u64; 4]| -> Vec<u64> {
//!     let of = |e: usize| (0..4).filter(|&p| paths[p].contains(&e)).map(|p| ran[p]).sum();
//!     (0..8).map(of).collect()
//! };
//! assert_eq!(sums([50, 0, 0, 50]), sums([25; 4]));
//!
//! // The second branch goes as the first did nine times in ten: 45 of 100, by edges 25. Coding a
//! // pass takes two bits by edges, and 1.469 by paths.
//! let flow = graph.counts(sums([45, 5, 5, 45]))?;
//! assert_eq!(flow.independent(&paths[0]), 25.0);
//! let lost = mutual_information(&[vec![45, 5], vec![5, 45]]);
//! assert!((lost - 0.531).abs() < 0.0005 && (2.0 - lost - 1.469).abs() < 0.0005);
//!
//! // An edge of its own determines a path's count: 5 and 3.
//! let apart = FlowGraph::new(4, vec![(0, 1), (1, 3), (0, 2), (2, 3)])?;
//! let flow = apart.counts(vec![5, 5, 3, 3])?;
//! assert_eq!(flow.definite_paths(9), [(vec![0, 1], 5), (vec![2, 3], 3)]);
//!
//! // Ball and Larus: s → A → B | C → D, then e6 or e7 → t. The numbers are 0 to 3.
//! let [s, a, b, c, d, t] = [0, 1, 2, 3, 4, 5];
//! let edges = vec![(s, a), (a, b), (a, c), (b, d), (c, d), (d, t), (d, t)];
//! let graph = Graph::new(6, edges, s, t)?;
//! let epp = acyclic::epp(&graph, &[]);
//! let number = |path: &[usize]| epp.run(path).numbers[0];
//! let all = [[0, 1, 3, 5], [0, 1, 3, 6], [0, 2, 4, 5], [0, 2, 4, 6]];
//! assert_eq!(all.map(|path| number(&path)), [0, 1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod automaton;
pub mod bias;
pub mod bounds;
pub mod encodings;
pub mod flow_graph;
pub mod identity;
pub mod information;
pub mod method_graph;
pub mod operation;
pub mod placement;
pub mod selected;
pub mod truncation;

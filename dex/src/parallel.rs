//! Work on slices, spread over threads with the feature `rayon`.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// `f` of every item, in order, or the error of one of them. A thread takes `chunk` items at a
/// time: small ones take less time than handing them over.
pub(crate) fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    chunk: usize,
    f: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let one = |items: &[T]| items.iter().map(&f).collect::<Result<Vec<R>, E>>();
    #[cfg(feature = "rayon")]
    let chunks = items.par_chunks(chunk).map(one);
    #[cfg(not(feature = "rayon"))]
    let chunks = items.chunks(chunk).map(one);
    Ok(chunks.collect::<Result<Vec<_>, E>>()?.into_iter().flatten().collect())
}

/// `f` of every item, in order; items are large enough to be handed to threads one by one.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter().map(f).collect();
    #[cfg(not(feature = "rayon"))]
    items.iter().map(f).collect()
}

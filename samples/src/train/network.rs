//! Flows through a network that explain counts best.
//!
//! An arc's flow `f` costs `cost · f − weight · ln f`. The flow into a vertex flows out of it;
//! vertex 0 is the outside. With a unit cost and a count as its weight, an arc means: this count is
//! a Poisson variable of mean `f`. The flows of least cost are found by Newton's method on the
//! potentials (Boyd and Vandenberghe, Convex Optimization, 10.2), each step a sparse Cholesky
//! factorisation that eliminates vertices of few neighbours first.

/// A possible flow from one vertex to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    pub from: u32,
    pub to: u32,
    pub cost: f64,
    /// Above 0.
    pub weight: f64,
}

/// Newton steps at most.
const STEPS: usize = 200;
/// Entries of a factor at most: 64 MiB.
const MOST: usize = 4 << 20;

/// The flows of least cost. `potentials` begins with one for each vertex, that of the outside 0,
/// such that every arc's `cost + potential(from) − potential(to)` is above 0. `None` where the
/// network is too large or has no such flow.
pub(crate) fn least(arcs: &[Arc], mut potentials: Vec<f64>) -> Option<Vec<f64>> {
    let mut factor = Factor::new(potentials.len(), arcs)?;
    let slack = |y: &[f64], a: &Arc| a.cost + y[a.from as usize] - y[a.to as usize];
    let value = |y: &[f64]| -> f64 {
        let term = |a: &Arc| match slack(y, a) {
            s if s > 0.0 => -a.weight * s.ln(),
            _ => f64::INFINITY,
        };
        arcs.iter().map(term).sum()
    };
    let mut best = value(&potentials);
    if !best.is_finite() {
        return None;
    }
    let mut excess = vec![0.0; potentials.len()];
    let mut weights = vec![0.0; arcs.len()];
    for _ in 0..STEPS {
        excess.fill(0.0);
        for (arc, weight) in arcs.iter().zip(&mut weights) {
            let flow = arc.weight / slack(&potentials, arc);
            *weight = flow * flow / arc.weight;
            excess[arc.from as usize] += flow;
            excess[arc.to as usize] -= flow;
        }
        let step = factor.solve(arcs, &weights, &excess)?;
        let decrement: f64 = step.iter().zip(&excess).skip(1).map(|(s, e)| s * e).sum();
        if decrement < 1e-9 {
            break;
        }
        let mut length = 1.0;
        loop {
            let tried: Vec<f64> =
                potentials.iter().zip(&step).map(|(y, s)| y + length * s).collect();
            let found = value(&tried);
            if found <= best - 0.1 * length * decrement {
                (potentials, best) = (tried, found);
                break;
            }
            length /= 2.0;
            if length < 1e-12 {
                // As near as numbers allow.
                return flows(arcs, &potentials);
            }
        }
    }
    flows(arcs, &potentials)
}

fn flows(arcs: &[Arc], y: &[f64]) -> Option<Vec<f64>> {
    let flow = |a: &Arc| a.weight / (a.cost + y[a.from as usize] - y[a.to as usize]);
    let flows: Vec<f64> = arcs.iter().map(flow).collect();
    flows.iter().all(|f| f.is_finite()).then_some(flows)
}

/// A Cholesky factor of a network's Laplacian without the outside.
struct Factor {
    /// Of each vertex but the outside: when it is eliminated.
    place: Vec<u32>,
    /// Of each column: the rows below the diagonal, ascending.
    rows: Vec<Vec<u32>>,
    /// Of each row: the columns that have it, and where.
    users: Vec<Vec<(u32, u32)>>,
    /// Of each arc between two vertices inside: its column, and where in it.
    entries: Vec<Option<(u32, u32)>>,
    columns: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
    work: Vec<f64>,
}

impl Factor {
    fn new(vertices: usize, arcs: &[Arc]) -> Option<Factor> {
        let n = vertices - 1;
        let mut near = vec![std::collections::BTreeSet::new(); n];
        let inside = |a: &Arc| (a.from != a.to && a.from > 0 && a.to > 0).then_some((a.from, a.to));
        for (u, v) in arcs.iter().filter_map(inside) {
            near[u as usize - 1].insert(v - 1);
            near[v as usize - 1].insert(u - 1);
        }
        let mut place = vec![u32::MAX; vertices];
        let mut rows = Vec::with_capacity(n);
        let mut entries = 0;
        let mut waiting: std::collections::BTreeSet<(usize, u32)> =
            (0..n as u32).map(|v| (near[v as usize].len(), v)).collect();
        while let Some((_, v)) = waiting.pop_first() {
            place[v as usize + 1] = rows.len() as u32;
            let all = std::mem::take(&mut near[v as usize]);
            entries += all.len();
            if entries > MOST {
                return None;
            }
            for &u in &all {
                let set = &mut near[u as usize];
                waiting.remove(&(set.len(), u));
                set.remove(&v);
                set.extend(all.iter().filter(|w| **w != u));
                waiting.insert((set.len(), u));
            }
            rows.push(all.into_iter().collect::<Vec<u32>>());
        }
        let mut users = vec![Vec::new(); n];
        for (column, rows) in (0_u32..).zip(&mut rows) {
            rows.iter_mut().for_each(|r| *r = place[*r as usize + 1]);
            rows.sort_unstable();
            for (at, &row) in (0_u32..).zip(rows.iter()) {
                users[row as usize].push((column, at));
            }
        }
        let entry = |a: &Arc| {
            let (u, v) = inside(a)?;
            let (u, v) = (place[u as usize], place[v as usize]);
            let (column, row) = (u.min(v), u.max(v));
            let at = rows[column as usize].binary_search(&row).ok()?;
            Some((column, at as u32))
        };
        let entries = arcs.iter().map(entry).collect();
        let columns = rows.iter().map(|r| vec![0.0; r.len()]).collect();
        let (diagonal, work) = (vec![0.0; n], vec![0.0; n]);
        Some(Factor { place, rows, users, entries, columns, diagonal, work })
    }

    /// Solves the Laplacian with these weights.
    fn solve(&mut self, arcs: &[Arc], weights: &[f64], right: &[f64]) -> Option<Vec<f64>> {
        self.columns.iter_mut().for_each(|c| c.fill(0.0));
        self.diagonal.fill(0.0);
        for ((arc, &weight), entry) in arcs.iter().zip(weights).zip(&self.entries) {
            if arc.from == arc.to {
                continue;
            }
            for end in [arc.from, arc.to].into_iter().filter(|end| *end > 0) {
                self.diagonal[self.place[end as usize] as usize] += weight;
            }
            if let Some((column, at)) = *entry {
                self.columns[column as usize][at as usize] -= weight;
            }
        }
        let n = self.rows.len();
        for j in 0..n {
            let mut own = self.diagonal[j];
            for (&row, &value) in self.rows[j].iter().zip(&self.columns[j]) {
                self.work[row as usize] = value;
            }
            for &(k, at) in &self.users[j] {
                let (k, at) = (k as usize, at as usize);
                let factor = self.columns[k][at];
                own -= factor * factor;
                let below = self.rows[k][at + 1..].iter().zip(&self.columns[k][at + 1..]);
                below.for_each(|(&row, &value)| self.work[row as usize] -= factor * value);
            }
            if own.is_nan() || own <= 0.0 {
                return None;
            }
            let own = own.sqrt();
            self.diagonal[j] = own;
            for (&row, value) in self.rows[j].iter().zip(&mut self.columns[j]) {
                *value = self.work[row as usize] / own;
            }
        }
        let mut x = vec![0.0; n];
        for (&place, &value) in self.place.iter().zip(right).skip(1) {
            x[place as usize] = value;
        }
        for j in 0..n {
            x[j] /= self.diagonal[j];
            for (&row, &value) in self.rows[j].iter().zip(&self.columns[j]) {
                x[row as usize] -= value * x[j];
            }
        }
        for j in (0..n).rev() {
            let below = self.rows[j].iter().zip(&self.columns[j]);
            let sum: f64 = below.map(|(&row, &value)| value * x[row as usize]).sum();
            x[j] = (x[j] - sum) / self.diagonal[j];
        }
        let solved = self.place.iter().map(|&p| x.get(p as usize).copied().unwrap_or(0.0));
        Some(solved.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(from: u32, to: u32, cost: f64, weight: f64) -> Arc {
        Arc { from, to, cost, weight }
    }

    #[test]
    fn a_single_way_carries_the_mean_of_its_counts() {
        // Two counts of one flow: the likeliest mean is their mean.
        let arcs = [arc(0, 1, 1.0, 30.0), arc(1, 0, 1.0, 10.0)];
        let flows = least(&arcs, vec![0.0, 0.0]).unwrap();
        assert!(flows.iter().all(|f| (f - 20.0).abs() < 1e-3), "{flows:?}");
    }

    #[test]
    fn a_fork_is_split_as_its_counts_say() {
        let arcs = [
            arc(0, 1, 1.0, 100.0),
            arc(1, 2, 1.0, 75.0),
            arc(1, 2, 1.0, 25.0),
            arc(2, 0, 0.1, 1e-6),
        ];
        let flows = least(&arcs, vec![0.0, 0.0, 0.05]).unwrap();
        assert!((flows[1] / flows[2] - 3.0).abs() < 1e-3, "{flows:?}");
        assert!((flows[0] - flows[1] - flows[2]).abs() < 1e-3, "{flows:?}");
    }

    #[test]
    fn what_flows_in_flows_out_of_every_vertex_of_a_random_network() {
        let mut rng = mutation::Rng::new(5);
        for _ in 0..200 {
            let n = 2 + rng.below(20) as u32;
            let mut arcs = vec![arc(0, 1, 1.0, 0.5)];
            for v in 1..=n {
                arcs.push(arc(v, 0, 1.0, 0.1 + rng.below(5) as f64));
                arcs.push(arc(0, v, 5.0, 0.1));
                arcs.push(arc(
                    v,
                    1 + rng.below(n as usize) as u32,
                    1.0,
                    rng.below(90) as f64 + 0.5,
                ));
            }
            let flows = least(&arcs, vec![0.0; n as usize + 1]).unwrap();
            for v in 1..=n {
                let sum = |f: &dyn Fn(&Arc) -> u32| -> f64 {
                    arcs.iter().zip(&flows).filter(|(a, _)| f(a) == v).map(|(_, f)| f).sum()
                };
                let (into, out) = (sum(&|a| a.to), sum(&|a| a.from));
                assert!((into - out).abs() < 1e-3 * (1.0 + into), "{into} in, {out} out");
            }
        }
    }
}

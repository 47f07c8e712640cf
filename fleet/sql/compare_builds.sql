-- Branches that sessions of a release take at another rate than those of the release before.
--
-- For each build with a release before it, and each alternative that both have: the shares of
-- usable sessions that took it, z of the two-proportion test, p (two-sided), and q, which
-- Benjamini and Hochberg's procedure makes of all p of the build: `q` < 0.05 expects 5 % false ones
-- among all that are reported. Of p, the normal tail: Abramowitz and Stegun 26.2.17 below 3, 26.2.14
-- (the continued fraction, cut off) above.
with counted as (
  select build, 1e0 * count(*) as n from sessions where usable group by build
),
seen as (
  select e.build, e.edge, count(*) as sessions
  from edges e
  join sessions s on s.build = e.build and s.session = e.session
  where s.usable
  group by e.build, e.edge
),
known as (
  select d.build, d.edge, d.alt, d.method, d.line, coalesce(d.origin, d.branch) as id,
    1e0 * coalesce(s.sessions, 0) as k, n.n
  from edge d
  join counted n on n.build = d.build
  left join seen s on s.build = d.build and s.edge = d.edge
),
pairs as (
  select b.build, b.base, new.edge, new.id, new.alt, new.method, new.line,
    old.k as k1, old.n as n1, new.k as k2, new.n as n2,
    (old.k + new.k) / (old.n + new.n) as pooled
  from builds b
  join known new on new.build = b.build
  join known old on old.build = b.base and old.id = new.id and old.alt = new.alt
),
tested as (
  select *, (k2 / n2 - k1 / n1) / sqrt(pooled * (1e0 - pooled) * (1e0 / n1 + 1e0 / n2)) as z
  from pairs
  where pooled > 0 and pooled < 1
),
densities as (
  select *, abs(z) as x, exp(-5e-1 * z * z) * 3.989422804014327e-1 as density,
    1e0 / (1e0 + 2.316419e-1 * abs(z)) as t
  from tested
),
tails as (
  select *,
    case when x < 3 then
      2e0 * density * t * (3.1938153e-1 + t * (-3.56563782e-1 + t * (1.781477937e0
        + t * (-1.821255978e0 + t * 1.330274429e0))))
    else
      2e0 * density / (x + 1e0 / (x + 2e0 / (x + 3e0 / (x + 4e0 / (x + 5e0 / (x + 6e0 / x))))))
    end as p
  from densities
),
ordered as (
  select *, row_number() over (partition by build order by p, edge) as place,
    count(*) over (partition by build) as tests
  from tails
),
adjusted as (
  select *,
    min(p * tests / place) over (
      partition by build order by place desc rows between unbounded preceding and current row
    ) as least
  from ordered
)
select a.build, a.base, m.name, a.line, a.alt, cast(a.k1 as bigint) as sessions_before,
  cast(a.k2 as bigint) as sessions, a.k1 / a.n1 as share_before, a.k2 / a.n2 as share, a.z, a.p,
  case when a.least < 1 then a.least else 1e0 end as q, a.id as branch
from adjusted a
join method m on m.build = a.build and m.method = a.method
order by a.build, a.place

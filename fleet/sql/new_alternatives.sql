-- What do sessions of a release do that no session of the release before did?
--
-- For each build with a release before it (`builds.base`): alternatives of branches that ran, and
-- did not run there. `new code`: no older release has the branch; `new way`: the branch was there.
-- `by_chance`: how likely it is that the sessions of the release before would all have missed it,
-- were its share of sessions the same: near 0 means that something changed.
with counted as (
  select build, count(*) as n from sessions where usable group by build
),
seen as (
  select e.build, e.edge, count(*) as sessions,
    sum(case when c.session is null then 0 else 1 end) as crashed
  from edges e
  join sessions s on s.build = e.build and s.session = e.session
  left join (select distinct build, session from crashes) c
    on c.build = e.build and c.session = e.session
  where s.usable
  group by e.build, e.edge
),
known as (
  select distinct e.build, coalesce(d.origin, d.branch) as id, d.alt
  from (select distinct build, edge from edges) e
  join edge d on d.build = e.build and d.edge = e.edge
)
select b.build, b.base, case when d.origin is null then 'new code' else 'new way' end as kind,
  s.sessions, s.crashed, 1e0 * s.sessions / n.n as share,
  power(1e0 - 1e0 * s.sessions / n.n, 1e0 * o.n) as by_chance,
  m.name, d.line, d.block, d.alt, coalesce(d.origin, d.branch) as branch
from builds b
join counted n on n.build = b.build
join counted o on o.build = b.base
join seen s on s.build = b.build
join edge d on d.build = s.build and d.edge = s.edge
join method m on m.build = d.build and m.method = d.method
left join known k on k.build = b.base and k.id = coalesce(d.origin, d.branch) and k.alt = d.alt
where k.id is null
order by b.build, kind, s.sessions desc, d.edge

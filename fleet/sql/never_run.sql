-- Which code does nobody run?
--
-- Alternatives that ran in no session, with what that proves: with 95 % confidence at most
-- `at_most` = 1 − 0.05^(1/N) of all sessions would take them (N usable sessions). `given_reached`
-- is the same among the sessions that came to the branch. `dead`: the method never ran.
with counted as (
  select build, count(*) as n from sessions where usable group by build
),
ran as (
  select distinct build, edge from edges
),
methods as (
  select build, callee as method from calls
  union
  select d.build, d.method from ran r join edge d on d.build = r.build and d.edge = r.edge
),
-- A session that came to a branch has one first way there.
came as (
  select e.build, d.method, d.block, count(*) as reached
  from edges e
  join sessions s on s.build = e.build and s.session = e.session
  join edge d on d.build = e.build and d.edge = e.edge
  where s.usable and e.first_way
  group by e.build, d.method, d.block
)
select d.build, case when r.method is null then 1 else 0 end as dead, m.name, d.line, d.block,
  d.alt, n.n as sessions, 1e0 - power(5e-2, 1e0 / n.n) as at_most,
  coalesce(c.reached, 0) as reached,
  case when c.reached > 0 then 1e0 - power(5e-2, 1e0 / c.reached) else 1e0 end as given_reached,
  coalesce(d.origin, d.branch) as branch
from edge d
join counted n on n.build = d.build
join method m on m.build = d.build and m.method = d.method
left join ran e on e.build = d.build and e.edge = d.edge
left join (select distinct build, method from methods) r
  on r.build = d.build and r.method = d.method
left join came c on c.build = d.build and c.method = d.method and c.block = d.block
where e.edge is null
order by d.build, dead desc, d.edge

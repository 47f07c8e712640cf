-- Which paths are rare, and which of them should alarm?
--
-- Shapes of callbacks that at most one of 100 usable sessions has. `first_day`: when the first one
-- arrived; `new_shape`: the release before has no session with it. `crashed`: sessions with a
-- crash; `lift`: their share, over the share of all sessions (1: as everywhere). Alarming: high
-- `lift` in several sessions, or a new shape that arrives late.
with usable as (
  select s.build, s.session, s.day, case when c.session is null then 0 else 1 end as crashed
  from sessions s
  left join (select distinct build, session from crashes) c
    on c.build = s.build and c.session = s.session
  where s.usable
),
totals as (
  select build, count(*) as n, sum(crashed) as crashed from usable group by build
),
shapes as (
  select p.build, p.callback, p.shape, count(*) as sessions, sum(u.crashed) as crashed,
    min(u.day) as first_day, sum(cast(p.n as decimal(38, 0))) as calls
  from paths p
  join usable u on u.build = p.build and u.session = p.session
  group by p.build, p.callback, p.shape
),
known as (
  select distinct build, shape from paths
)
select s.build, s.first_day, m.name, s.shape, s.sessions, cast(s.calls as bigint) as calls,
  s.crashed, case when t.crashed > 0
    then 1e0 * s.crashed / s.sessions / (1e0 * t.crashed / t.n) else 0e0 end as lift,
  case when b.base <> '' and k.shape is null then 1 else 0 end as new_shape
from shapes s
join totals t on t.build = s.build
join builds b on b.build = s.build
join method m on m.build = s.build and m.method = s.callback
left join known k on k.build = b.base and k.shape = s.shape
where s.sessions * 100 <= t.n
order by s.build, s.crashed desc, s.first_day desc, s.callback, s.shape

-- What does nearly every session run?
--
-- Methods by the share of usable sessions that called them, at least half of them: what a start
-- needs, and what belongs into a baseline profile. `rule` is a line of such a profile.
with counted as (
  select build, count(*) as n from sessions where usable group by build
),
ran as (
  select c.build, c.callee, count(distinct c.session) as sessions,
    sum(cast(c.n as decimal(38, 0))) as calls
  from calls c
  join sessions s on s.build = c.build and s.session = c.session
  where s.usable
  group by c.build, c.callee
)
select r.build, m.name, r.sessions, 1e0 * r.sessions / n.n as share,
  cast(r.calls as double) / r.sessions as calls_a_session, concat('HSP', m.name) as rule
from ran r
join counted n on n.build = r.build
join method m on m.build = r.build and m.method = r.callee
where 2 * r.sessions >= n.n
order by r.build, r.sessions desc, m.name, r.callee

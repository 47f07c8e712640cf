-- What may be published: counts by build, day and alternative, without sessions.
--
-- Cells of fewer than 10 sessions are left out, and so are numbers of crashed sessions from 1 to 9:
-- who knows one of few sessions learns nothing about it (docs/PRIVACY.md).
with cells as (
  select e.build, e.day, e.edge, count(*) as sessions,
    sum(cast(e.n as decimal(38, 0))) as n,
    count(c.session) as crashed
  from edges e
  left join (select distinct build, session from crashes) c
    on c.build = e.build and c.session = e.session
  group by e.build, e.day, e.edge
)
select c.build, c.day, coalesce(d.origin, d.branch) as branch, d.alt, m.name, d.line, c.sessions,
  cast(c.n as bigint) as n,
  case when c.crashed = 0 or c.crashed >= 10 then c.crashed end as crashed
from cells c
join edge d on d.build = c.build and d.edge = c.edge
join method m on m.build = d.build and m.method = d.method
where c.sessions >= 10
order by c.build, c.day, d.edge

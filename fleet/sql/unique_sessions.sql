-- How many sessions have a set of branches that no other session has?
--
-- The reason why tables of sessions are personal data (docs/PRIVACY.md). Two sessions are alike if
-- they took the same alternatives, however often; edges are compared by their number and by two
-- sums of mixed numbers.
with sets as (
  select build, session, count(*) as edges, sum(cast(edge as bigint)) as total,
    sum(cast(edge as bigint) * edge % 1000003) as mixed,
    sum((cast(edge as bigint) * 7919 + 104729) * (edge + 31) % 15485863) as mixed_again
  from edges
  group by build, session
),
alike as (
  select build, count(*) as sessions
  from sets
  group by build, edges, total, mixed, mixed_again
)
select build, cast(sum(sessions) as bigint) as sessions,
  sum(case when sessions = 1 then 1 else 0 end) as alone,
  max(sessions) as largest_group
from alike
group by build
order by build

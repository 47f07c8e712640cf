-- Which callbacks take the most steps, and on which paths?
--
-- Top-level callbacks by method and shape (paths with the same ways, in powers of two). A step is a
-- decided branch: a measure of work that does not depend on the phone. `share`: of all steps of the
-- build's sessions; `each`: steps of one call.
with totals as (
  select build, sum(cast(steps as decimal(38, 0))) as steps from paths group by build
),
shapes as (
  select build, callback, shape, count(*) as sessions, sum(cast(n as decimal(38, 0))) as calls,
    sum(cast(steps as decimal(38, 0))) as steps
  from paths
  group by build, callback, shape
),
ranked as (
  select *, row_number() over (partition by build order by steps desc, callback, shape) as place
  from shapes
)
select r.build, r.place, m.name, r.shape, r.sessions, cast(r.calls as bigint) as calls,
  cast(r.steps as bigint) as steps,
  cast(r.steps as double) / cast(r.calls as double) as each,
  cast(r.steps as double) / cast(t.steps as double) as share
from ranked r
join totals t on t.build = r.build
join method m on m.build = r.build and m.method = r.callback
where r.place <= 100 and r.steps > 0
order by r.build, r.place

-- Crash labels beside the ends of the logs.
--
-- Sessions by label, by how their log ends, and by whether they may be counted. Suspect are: labels
-- whose session is missing (`no session`), crashes in logs that end `clean`, sessions that end with
-- an exception that left the app (`left_app`) and have no label.
with signed as (
  select build, session, min(signature) as signature from crashes group by build, session
)
select t.build, t.signature, t.ending, t.usable, count(*) as sessions
from (
  select coalesce(s.build, c.build) as build, coalesce(c.signature, '') as signature,
    case when s.session is null then 'no session' else s.end end as ending,
    case when s.usable then 1 else 0 end as usable
  from sessions s
  full join signed c on c.build = s.build and c.session = s.session
) t
group by t.build, t.signature, t.ending, t.usable
order by t.build, t.signature, t.ending, t.usable

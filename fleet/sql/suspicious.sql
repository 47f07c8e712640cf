-- Which branches have to do with crashes?
--
-- For each build and crash signature: the alternatives of branches by Ochiai, the first 200. A
-- session counts once, however often it took the alternative. Bad: sessions with the signature;
-- good: sessions without a crash. The formulas are those of `pathlight compare` (docs/COMPARE.md):
-- `increase` with its 95 % interval (Newcombe's method 10 times the share of sessions that came to
-- the branch and went another way), `importance`. `sure`: the interval lies above 0.
--
-- Alternatives that exactly the same sessions took are one class: no figure distinguishes them.
-- Session ids are random numbers, so `bit_xor` of them distinguishes sets of sessions.
with labelled as (
  select s.build, s.session, coalesce(c.signature, '') as signature
  from sessions s
  left join (
    select build, session, min(signature) as signature from crashes group by build, session
  ) c on c.build = s.build and c.session = s.session
  where s.usable
),
totals as (
  select build, signature, count(*) as n from labelled group by build, signature
),
taken as (
  select e.build, e.edge, l.signature, count(*) as n, bit_xor(e.session) as vector,
    count(case when e.first_way then 1 end) as firsts
  from edges e
  join labelled l on l.build = e.build and l.session = e.session
  group by e.build, e.edge, l.signature
),
-- Beside each signature the sessions without a crash that took the alternative.
beside as (
  select build, edge, signature, n as ef, vector as bad_vector,
    coalesce(max(case when signature = '' then n end) over (partition by build, edge), 0) as ep,
    coalesce(max(case when signature = '' then vector end) over (partition by build, edge), 0)
      as good_vector
  from taken
),
spectra as (
  select b.*, t.n as bad, coalesce(f.n, 0) as good,
    1e0 * b.ef / sqrt(1e0 * t.n * (b.ef + b.ep)) as ochiai
  from beside b
  join totals t on t.build = b.build and t.signature = b.signature
  left join totals f on f.build = b.build and f.signature = ''
  where b.signature <> ''
),
suspects as (
  select s.*, d.method, d.block, d.alt, d.line, d.branch, d.pc
  from (
    select *, rank() over (partition by build, signature order by ochiai desc) as place from spectra
  ) s
  join edge d on d.build = s.build and d.edge = s.edge
  where s.place <= 200
),
-- Sessions that came to the branch, whichever way they went: each has one first way.
near as (
  select distinct d.build, d.edge, d.method, d.block
  from edge d
  join suspects s on s.build = d.build and s.method = d.method and s.block = d.block
),
came as (
  select n.build, n.method, n.block, t.signature, sum(t.firsts) as n
  from taken t
  join near n on n.build = t.build and n.edge = t.edge
  group by n.build, n.method, n.block, t.signature
),
reached as (
  select build, method, block, signature, n,
    n + coalesce(max(case when signature = '' then n end)
      over (partition by build, method, block), 0) as all_there
  from came
),
counted as (
  select s.*, 1e0 * s.ef as hits, 1e0 * (s.ef + s.ep) as tried, 1e0 * (r.n - s.ef) as missed,
    1e0 * (r.all_there - s.ef - s.ep) as others, 1e0 * r.n as reached_bad,
    1e0 * r.all_there as reached
  from suspects s
  join reached r on r.build = s.build and r.method = s.method and r.block = s.block
    and r.signature = s.signature
),
-- Wilson's intervals of both proportions; 1.959963984540054 is the normal quantile for 95 %.
wilson as (
  select *, hits / tried as p, case when others > 0 then missed / others else 0e0 end as q,
    3.8414588206941236e0 as zz
  from counted
),
bounds as (
  select *,
    (2e0 * hits + zz - sqrt(zz * (zz + 4e0 * hits * (1e0 - p)))) / (2e0 * (tried + zz)) as p_low,
    (2e0 * hits + zz + sqrt(zz * (zz + 4e0 * hits * (1e0 - p)))) / (2e0 * (tried + zz)) as p_high,
    (2e0 * missed + zz - sqrt(zz * (zz + 4e0 * missed * (1e0 - q)))) / (2e0 * (others + zz))
      as q_low,
    (2e0 * missed + zz + sqrt(zz * (zz + 4e0 * missed * (1e0 - q)))) / (2e0 * (others + zz))
      as q_high
  from wilson
),
figures as (
  select *, p - reached_bad / reached as increase,
    case when others > 0 then others / reached
      * (p - q - sqrt((p - p_low) * (p - p_low) + (q_high - q) * (q_high - q))) else 0e0 end as low,
    case when others > 0 then others / reached
      * (p - q + sqrt((p_high - p) * (p_high - p) + (q - q_low) * (q - q_low))) else 0e0 end as high
  from bounds
),
scored as (
  select *,
    case when increase > 0 and ef > 1 and bad > 1
      then 2e0 / (1e0 / increase + ln(1e0 * bad) / ln(1e0 * ef)) else 0e0 end as importance
  from figures
),
-- A class has the figures of its member that most increases the chance of a crash.
members as (
  select *,
    row_number() over (
      partition by build, signature, ef, ep, bad_vector, good_vector
      order by round(increase, 9) desc, edge
    ) as member,
    first_value(round(importance, 9)) over (
      partition by build, signature, ef, ep, bad_vector, good_vector
      order by round(increase, 9) desc, edge
    ) as class_importance,
    first_value(round(increase, 9)) over (
      partition by build, signature, ef, ep, bad_vector, good_vector
      order by round(increase, 9) desc, edge
    ) as class_increase,
    first_value(edge) over (
      partition by build, signature, ef, ep, bad_vector, good_vector
      order by round(increase, 9) desc, edge
    ) as class_edge
  from scored
),
classes as (
  select *,
    dense_rank() over (
      partition by build, signature
      order by round(ochiai, 9) desc, class_importance desc, class_increase desc, class_edge
    ) as class
  from members
)
select c.build, c.signature, c.class, c.member, c.ochiai, c.increase, c.low, c.high,
  case when c.low > 0 then 1 else 0 end as sure, c.importance, c.ef, c.ep, c.bad, c.good,
  cast(c.reached as bigint) as reached, m.name, c.line, c.pc, c.alt, c.branch
from classes c
join method m on m.build = c.build and m.method = c.method
order by c.build, c.signature, c.class, c.member

-- Owned by module orders: a return that was booked by mistake can be undone.
alter table order_returns
  -- All rows that one request booked. Null in returns of earlier versions, which cannot be undone.
  add column booking_id uuid,
  -- The movement that added the pieces to the stock, and the movement that scrapped them. Null for a line without an
  -- item.
  add column movement_id uuid,
  add column scrap_movement_id uuid,
  add column undone_at timestamptz;

-- An undone return subtracted no revenue.
create or replace function returns_to_keep(some_lines uuid[])
returns table (id uuid, revenue_minor bigint) language sql stable as $$
  with shipped as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from sold_pieces
    where order_id in (select order_id from order_lines where id = any (some_lines)) and order_line_id = any (some_lines)
    group by order_line_id
  ), earlier as (
    select order_line_id, sum(revenue_minor) as revenue, sum(quantity) as pieces
    from order_returns where order_line_id = any (some_lines) and revenue_minor is not null and undone_at is null
    group by order_line_id
  ), numbered as (
    select r.id, r.quantity, sum(r.quantity) over so_far as upto, s.revenue - coalesce(e.revenue, 0) as revenue,
           nullif(s.pieces - coalesce(e.pieces, 0), 0) as pieces
    from order_returns r
    left join shipped s on s.order_line_id = r.order_line_id
    left join earlier e on e.order_line_id = r.order_line_id
    where r.order_line_id = any (some_lines) and r.revenue_minor is null and r.undone_at is null
    window so_far as (partition by r.order_line_id order by r.created_at, r.id rows unbounded preceding)
  )
  select id, coalesce(round(revenue * upto / pieces) - round(revenue * (upto - quantity) / pieces), 0)::bigint from numbered
$$;

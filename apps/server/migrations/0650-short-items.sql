-- The public view of open orders: the pieces of each item that an order lacks. Lines get the free pieces of an item one
-- after the other, in the same order as in the account of an order.
create view short_items as
select t.order_id, t.item_id,
       sum(t.needed_quantity - least(t.needed_quantity, greatest(0, coalesce(i.available_quantity, 0) - t.taken_before)))::bigint as quantity
from (
  select l.order_id, l.item_id, l.needed_quantity,
         coalesce(sum(l.needed_quantity) over (
           partition by l.item_id
           order by l.turn_due_at, l.turn_placed_at, l.turn_number, l.position, l.part_number
           rows between unbounded preceding and 1 preceding
         ), 0) as taken_before
  from order_lines l where l.needed_quantity > 0
) t
left join stock_items i on i.id = t.item_id
group by t.order_id, t.item_id;

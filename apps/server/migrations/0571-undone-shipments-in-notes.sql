-- in steps
-- Owned by module orders: stored notes about undone shipments use the word of the button, so that they are still translated
-- and removed when they no longer hold.

-- repeat
update orders
set shop_problem = replace(
      replace(shop_problem, 'but a shipment was taken back here and', 'but a shipment was undone here and'),
      'take their shipment back here', 'undo their shipment here'
    )
where id in (
  select id from orders
  where strpos(shop_problem, 'but a shipment was taken back here and') > 0
     or strpos(shop_problem, 'take their shipment back here') > 0
  order by id limit 1000
)
returning id;

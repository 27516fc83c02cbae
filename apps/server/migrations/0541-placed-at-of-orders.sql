-- Other modules need the time at which an order was placed, because free and missing pieces are shared out by due date
-- and then by this time.
create or replace view placed_orders as
select o.id, o.order_number, o.customer_name, o.status, o.due_at, o.deleted_at, o.placed_at from orders o;

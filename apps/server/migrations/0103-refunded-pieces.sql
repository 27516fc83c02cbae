-- Owned by module orders: pieces of a line that the shop refunded after they had been shipped. They stay part of
-- `quantity` until they are returned, so that a line never has less than was shipped.
alter table order_lines add column refunded_quantity integer not null default 0;

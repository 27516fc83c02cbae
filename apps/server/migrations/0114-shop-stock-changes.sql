-- Owned by module products. Each order that the shop sends changes the shop's own stock. `shop_changes` counts these
-- orders, and `sent_changes` is their number when the stock was last sent. The shop has the sent stock only while both
-- numbers are equal. The stock is null until it is sent for the first time.
alter table sent_stocks
  alter column stock drop not null,
  add column shop_changes bigint not null default 0,
  add column sent_changes bigint not null default 0;

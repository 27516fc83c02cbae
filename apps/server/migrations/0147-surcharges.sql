-- in steps
-- Owned by module orders: what a customer pays besides lines, shipping and tax, such as a fee for gift wrap. It is part of the
-- total; `fee_minor` is what the shop pays, and is not.
alter table orders add column surcharge_minor bigint;
alter table orders add constraint orders_surcharge check (surcharge_minor >= 0) not valid;
alter table orders validate constraint orders_surcharge;

-- in steps
-- Owned by module orders: other charges that a customer pays, besides lines, shipping and tax, such as a fee for gift
-- wrap. They are part of the total. `fee_minor` is paid by the shop and is not part of the total.
alter table orders add column surcharge_minor bigint;
alter table orders add constraint orders_surcharge check (surcharge_minor >= 0) not valid;
alter table orders validate constraint orders_surcharge;

-- Owned by module orders: orders that people completed in Pegasus Ops without a shipment that completes them in the
-- shop. They are reported to the shop. An order that the shop shows as completed has a time of the report. `problem` is
-- the reason why the last report failed.
create table shop_completions (
  order_id uuid primary key references orders (id) on delete cascade,
  asked_at timestamptz not null,
  attempts integer not null default 0,
  report_after timestamptz,
  problem text,
  reported_at timestamptz
);
create index shop_completions_unreported on shop_completions (asked_at) where reported_at is null;
create trigger shop_completions_noted after insert or update on shop_completions
  for each row execute function note_order_of_shipment();

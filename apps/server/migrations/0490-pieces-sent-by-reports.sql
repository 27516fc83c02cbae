-- in steps
-- Owned by module orders: pieces of an ignored line that a report made the shop count as sent although they had not
-- been shipped, and the time of the last such report. If their SKU is mapped later, they must still be shipped, because
-- the shop's staff have not sent them.
alter table order_lines
  add column told_ignored_quantity integer not null default 0,
  add column told_ignored_at timestamptz;

alter table order_lines add constraint order_lines_told_ignored check (told_ignored_quantity >= 0) not valid;

alter table order_lines validate constraint order_lines_told_ignored;

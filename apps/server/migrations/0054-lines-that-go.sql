-- Owned by module orders. A line goes only while no piece of it is shipped, and takes with it what it had in shipments that
-- were taken back. (Without this such a line could never be removed or mapped.)
alter table shipment_lines
  drop constraint shipment_lines_order_line_id_fkey,
  add constraint shipment_lines_order_line_id_fkey foreign key (order_line_id) references order_lines (id) on delete cascade;

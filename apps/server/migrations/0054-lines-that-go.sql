-- Owned by module orders. A line can be deleted only while none of its pieces is shipped. Its rows in undone shipments
-- are deleted with it. Otherwise such a line could never be removed or mapped.
alter table shipment_lines
  drop constraint shipment_lines_order_line_id_fkey,
  add constraint shipment_lines_order_line_id_fkey foreign key (order_line_id) references order_lines (id) on delete cascade;

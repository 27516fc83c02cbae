-- in steps
-- Owned by module orders: a line can be deleted only while none of its pieces is shipped, so all its returns have been
-- undone. They are deleted with the line. Before, such a line could be neither removed nor mapped to other items.
alter table order_returns
  drop constraint order_returns_order_line_id_fkey,
  add constraint order_returns_order_line_id_fkey foreign key (order_line_id) references order_lines (id)
    on delete cascade not valid;
alter table order_returns validate constraint order_returns_order_line_id_fkey;

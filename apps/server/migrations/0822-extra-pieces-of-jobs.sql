-- Owned by module print-queue: the pieces that a person queued with a job although its order did not need them then. They
-- are not proposed to be left out. A job can be lowered to fewer pieces because its order gets smaller; the extra pieces
-- then stay, because another job of the order prints them.
alter table print_jobs add column extra_quantity integer not null default 0;

-- Owned by module orders: the pieces of an item that an order lacks, without regard to print jobs. An order on hold gets no
-- free pieces.
create function lacking_pieces(an_order uuid, an_item uuid) returns bigint language sql stable as $$
  select coalesce(
    (select quantity from short_items where order_id = an_order and item_id = an_item),
    (
      select sum(greatest(0, quantity - shipped_quantity - reserved_quantity)) from order_lines
      where order_id = an_order and item_id = an_item and ignored_at is null and not is_set
    ),
    0
  )
$$;

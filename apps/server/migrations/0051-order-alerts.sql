-- Owned by module orders: alerts about orders. Each one is sent once. Triggers write the rows, so that they are
-- complete whichever statement changes an order.

create table order_news (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id) on delete cascade,
  kind text not null constraint order_news_kind check (kind in ('new_order', 'order_cancelled')),
  at timestamptz not null
);
create index order_news_of_order on order_news (order_id);

create function note_new_order() returns trigger language plpgsql as $$
begin
  insert into order_news (order_id, kind, at) values (new.id, 'new_order', new.created_at);
  return null;
end $$;
-- An order that a person enters causes no alert. Orders that were placed days ago, such as those that the first
-- comparison with a shop finds, cause none either.
create trigger orders_new_noted after insert on orders for each row
  when (new.source <> 'manual' and new.status in ('pending', 'in_progress')
        and new.placed_at > new.created_at - interval '1 day')
  execute function note_new_order();

create function note_cancelled_order() returns trigger language plpgsql as $$
begin
  if exists (select from order_jobs where order_id = new.id and status = 'in_progress') then
    insert into order_news (order_id, kind, at) values (new.id, 'order_cancelled', new.updated_at);
  end if;
  return null;
end $$;
create trigger orders_cancelled_noted after update of status on orders for each row
  when (old.status <> 'cancelled' and new.status = 'cancelled')
  execute function note_cancelled_order();

-- The time of the alert that the order is overdue. A changed due time resets it.
alter table orders add column overdue_told_at timestamptz;
create function forget_overdue() returns trigger language plpgsql as $$
begin
  new.overdue_told_at := null;
  return new;
end $$;
create trigger orders_due_changed before update of due_at on orders for each row
  when (old.due_at is distinct from new.due_at) execute function forget_overdue();
-- Orders that are already overdue cause no alert.
update orders set overdue_told_at = now() where due_at < now() and status in ('pending', 'in_progress');
create index orders_due on orders (due_at) where deleted_at is null and status in ('pending', 'in_progress');

-- Owned by module alerts.
alter table alerts drop constraint alerts_kind;
alter table alerts add constraint alerts_kind check (kind in (
  'low_stock', 'low_filament', 'job_failed', 'publication_failed', 'new_order', 'order_overdue', 'order_cancelled'));

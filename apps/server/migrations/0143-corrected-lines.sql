-- Owned by module orders: the shipped pieces are also corrected when the lines of an ended order change, because an
-- order without pieces left to ship has its whole discount.
drop trigger orders_corrected on orders;
create constraint trigger orders_corrected after update of status, discount_minor, fee_minor, revision on orders
  deferrable initially deferred for each row
  when (
    old.discount_minor is distinct from new.discount_minor or old.fee_minor is distinct from new.fee_minor
    or (old.status not in ('completed', 'cancelled') and new.status in ('completed', 'cancelled'))
    or (old.revision <> new.revision and new.status in ('completed', 'cancelled'))
  )
  execute function correct_earnings();

-- Owned by module security-log: audit entries that must still be sent to another system.
create table security_log (
  is_only boolean primary key default true constraint security_log_one check (is_only),
  -- The actions whose entries are sent. Null while no other system is configured.
  actions text[],
  -- The number of entries that were deleted unsent and have not been reported to the other system yet.
  dropped bigint not null default 0
);
insert into security_log default values;

create table security_log_queue (
  id bigint generated always as identity primary key,
  entry_id uuid not null,
  -- The end of the claim of a process that is sending the entry.
  claimed_until timestamptz
);

-- Runs in the transaction of the entry, so that exactly the committed entries are sent.
create function queue_security_events() returns trigger language plpgsql as $$
begin
  insert into security_log_queue (entry_id)
  select added.id from added join security_log on added.action = any (security_log.actions)
  order by added.at, added.id;
  return null;
end $$;
create trigger audit_entries_queued after insert on audit_entries
  referencing new table as added for each statement execute function queue_security_events();

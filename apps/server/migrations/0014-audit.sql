-- Owned by module audit: the person or program, the action, the time and the address of each change. An entry is
-- written in the transaction of its change, so neither exists without the other.

create table audit_entries (
  id uuid primary key,
  at timestamptz not null,
  actor_kind text not null constraint audit_entries_actor_kind check (actor_kind in ('user', 'api_key', 'system')),
  actor_id uuid,
  actor_name text not null,
  action text not null constraint audit_entries_action_length check (length(action) between 1 and 100),
  entity text not null constraint audit_entries_entity_length check (length(entity) between 1 and 50),
  -- Null if the entry is about no object, such as a sign-in with an unknown name.
  entity_id text,
  before jsonb,
  after jsonb,
  ip text,
  request_id text
);
create index audit_entries_newest on audit_entries (at desc, id desc);
create index audit_entries_of_actor on audit_entries (actor_id, at desc, id desc);
create index audit_entries_of_entity on audit_entries (entity, entity_id, at desc, id desc);
create index audit_entries_of_action on audit_entries (action, at desc, id desc);
create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_stay_all before truncate on audit_entries
  for each statement execute function refuse_change();

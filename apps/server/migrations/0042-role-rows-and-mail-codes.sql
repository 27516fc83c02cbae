-- Owned by module users: the last change of a role's row, which is the time at which a later row replaced it.
alter table user_roles add column updated_at timestamptz not null default now();
update user_roles set updated_at = created_at;

-- Owned by module auth: a link that signs its reader in, and a code that proves again who is signed in.
alter table one_time_tokens drop constraint one_time_tokens_type;
alter table one_time_tokens add constraint one_time_tokens_type
  check (type in ('signup', 'invite', 'recovery', 'email_change', 'magiclink', 'reauthentication'));

-- Owned by module auth: the last use of sessions, and recently recorded refusals.

alter table sessions
  -- Written in batches, not in the requests themselves. A refresh changes `refreshed_at` instead.
  add column last_used_at timestamptz,
  add column last_used_ip text;

-- The refusals of the last minute. A repeated refusal is recorded once, so that nobody can fill the audit with repeated
-- requests.
create table access_refusals (
  account_id uuid not null references accounts (id),
  endpoint text not null,
  at timestamptz not null,
  primary key (account_id, endpoint)
);
create index access_refusals_at on access_refusals (at);

-- Owned by module users: the emails of the outbox that a person has read. Each reading is audited once.
create table outbox_reads (
  mail_id uuid not null references outbox_mails (id) on delete cascade,
  reader_id uuid not null references accounts (id),
  at timestamptz not null,
  primary key (mail_id, reader_id)
);

create or replace view people as
select
  a.id,
  a.email,
  a.username,
  coalesce(p.full_name, '') as full_name,
  coalesce(r.role_name, 'viewer') as role,
  coalesce(r.permissions, '{"can_view_orders": true}'::jsonb) as permissions,
  a.user_metadata as metadata,
  a.is_active and a.approved_at is not null as is_active,
  coalesce(p.system_access, false) as system_access,
  a.must_change_password,
  a.last_sign_in_at,
  a.is_active as is_enabled,
  a.approved_at,
  a.email_confirmed_at,
  a.revision,
  a.created_at,
  a.new_email,
  a.invited_at,
  case
    when not a.is_active then 'deactivated'
    when a.approved_at is null then 'waiting'
    when a.password_hash is null then 'invited'
    when a.email_confirmed_at is null then 'waiting'
    else 'active'
  end as status
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

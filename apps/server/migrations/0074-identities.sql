-- Owned by module auth: accounts that sign in with a wallet or through a provider.
alter table accounts
  -- False if `email` contains only a placeholder. Such an address receives no email and is never shown.
  add column has_email boolean not null default true;
update accounts set has_email = false where is_anonymous;
alter table accounts add constraint accounts_anonymous_without_email check (not (is_anonymous and has_email));

-- Messages that a wallet has signed and that were used for a sign-in. Each opens one session.
create table used_sign_in_messages (
  message_hash text primary key,
  -- After this time, the message is too old to be accepted.
  expires_at timestamptz not null
);
create index used_sign_in_messages_expires_at on used_sign_in_messages (expires_at);

-- Owned by module auth: accounts as other modules see them.
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
    -- A person who signs in through a provider or with a wallet needs no password.
    when a.password_hash is null
      and not exists (select from identities i where i.account_id = a.id and i.provider <> 'email') then 'invited'
    when a.email_confirmed_at is null then 'waiting'
    else 'active'
  end as status,
  -- Recovery codes replace a lost second factor. They are not a factor themselves.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor,
  a.deleted_at,
  a.is_anonymous,
  a.has_email
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

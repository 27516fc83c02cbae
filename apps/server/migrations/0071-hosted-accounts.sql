-- Owned by module auth: changes to accounts by programs with a service key of the hosted protocol.
alter table accounts
  -- The end of a temporary deactivation.
  add column banned_until timestamptz,
  -- A deleted account keeps its row, because older records refer to it. Its sign-in methods are deleted.
  add column deleted_at timestamptz,
  -- True for an account without a name and an address. It can access only itself until it gets an address.
  add column is_anonymous boolean not null default false;
create index accounts_banned_until on accounts (banned_until) where banned_until is not null;

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
    when a.password_hash is null then 'invited'
    when a.email_confirmed_at is null then 'waiting'
    else 'active'
  end as status,
  -- Recovery codes replace a lost second factor. They are not a factor themselves.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor,
  a.deleted_at,
  a.is_anonymous
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

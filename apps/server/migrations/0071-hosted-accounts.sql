-- Owned by module auth: what programs with a service key of the hosted protocol do to accounts.
alter table accounts
  -- The end of a deactivation that ends by itself.
  add column banned_until timestamptz,
  -- A deleted account keeps its row, because history refers to it. Its ways of signing in are erased.
  add column deleted_at timestamptz,
  -- Signed in without a name or an address. Opens only its own account until it gets an address.
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
  -- Recovery codes stand in for an authenticator app and are none.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor,
  a.deleted_at,
  a.is_anonymous
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

-- in steps
-- Owned by module auth: the account that was created at the first start. It always has the role owner. The server marks
-- it at the start. In an older database, it marks the oldest active owner.
alter table accounts add column is_first_owner boolean not null default false;
create or replace view people as
select
  a.id,
  coalesce(a.sso_email, a.email) as email,
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
    -- A person who signs in by phone, through a provider or with a wallet needs no password.
    when a.password_hash is null
      and not exists (select from identities i where i.account_id = a.id and i.provider <> 'email') then 'invited'
    when a.email_confirmed_at is null and a.phone_confirmed_at is null then 'waiting'
    else 'active'
  end as status,
  -- Recovery codes replace a lost second factor. They are not a factor themselves.
  exists (
    select from factors f where f.account_id = a.id and f.status = 'verified' and f.factor_type = 'totp'
  ) as has_second_factor,
  a.deleted_at,
  a.is_anonymous,
  a.has_email,
  a.sso_provider_id is not null as is_sso_managed,
  a.phone,
  a.phone_confirmed_at,
  a.is_first_owner
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

create unique index concurrently accounts_first_owner on accounts (is_first_owner) where is_first_owner;

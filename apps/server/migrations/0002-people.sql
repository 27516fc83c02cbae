-- Owned by module users: the profiles of people, and their roles.

create table profiles (
  account_id uuid primary key references accounts (id),
  full_name text not null default '',
  system_access boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_roles (
  id uuid primary key,
  user_id uuid not null references accounts (id),
  role_name text not null,
  permissions jsonb not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
-- The only active row determines the role of an account.
create unique index user_roles_one_active on user_roles (user_id) where is_active;

-- The public view of this module: one row per account, with its current role.
create view people as
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
  a.last_sign_in_at
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

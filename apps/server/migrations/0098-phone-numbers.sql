-- in steps
-- Owned by module auth: phone numbers of accounts, and codes that are sent to them.
alter table accounts
  -- The digits of the number in the form E.164, without the plus.
  add column phone text,
  add column phone_confirmed_at timestamptz,
  -- The time at which the person proved the number with the code of a message. It is also set when an administrator
  -- vouched for the number. Null if the number was not proved, also if a sign-up confirmed it without a proof.
  add column phone_proved_at timestamptz,
  -- The new number, until the code of its message confirms it.
  add column new_phone text,
  add column phone_change_sent_at timestamptz,
  add constraint accounts_phone_digits check (phone ~ '^[1-9][0-9]{6,14}$') not valid,
  add constraint accounts_new_phone_digits check (new_phone ~ '^[1-9][0-9]{6,14}$') not valid,
  add constraint accounts_phone_confirmed check (
    (phone_confirmed_at is null and phone_proved_at is null) or not (phone is null)
  ) not valid;
alter table accounts
  validate constraint accounts_phone_digits,
  validate constraint accounts_new_phone_digits,
  validate constraint accounts_phone_confirmed;
create unique index concurrently accounts_phone_key on accounts (phone) where phone is not null;
create index concurrently accounts_new_phone on accounts (new_phone) where new_phone is not null;

-- A code in a text message belongs to a phone number. A code or link in an email belongs to an address.
alter table one_time_tokens
  alter column email drop not null,
  add column phone text,
  drop constraint one_time_tokens_type,
  add constraint one_time_tokens_type check (
    type in ('signup', 'invite', 'recovery', 'email_change', 'magiclink', 'reauthentication', 'sms', 'phone_change')
  ) not valid,
  add constraint one_time_tokens_recipient check ((email is null) <> (phone is null)) not valid;
alter table one_time_tokens
  validate constraint one_time_tokens_type,
  validate constraint one_time_tokens_recipient;
create index concurrently one_time_tokens_phone on one_time_tokens (phone) where phone is not null;

-- Second factors that are phone numbers. Each challenge stores the code of its message as a keyed hash.
alter table factors
  add column phone text,
  drop constraint factors_type,
  add constraint factors_type check (factor_type in ('totp', 'recovery_code', 'webauthn', 'phone')) not valid,
  add constraint factors_phone check ((phone is null) = (factor_type <> 'phone')) not valid;
alter table factors
  validate constraint factors_type,
  validate constraint factors_phone;
alter table challenges
  add column code_hash text,
  add column wrong_codes integer not null default 0;

-- Owned by module auth: accounts as other modules see them.
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
  a.phone_confirmed_at
from accounts a
left join profiles p on p.account_id = a.id
left join user_roles r on r.user_id = a.id and r.is_active;

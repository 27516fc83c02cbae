-- Owned by module auth: second factors that are security keys, and the credentials of keys and devices (WebAuthn).
alter table factors drop constraint factors_type;
alter table factors add constraint factors_type check (factor_type in ('totp', 'recovery_code', 'webauthn'));
alter table factors drop constraint factors_secret;
alter table factors add constraint factors_secret check ((secret_sealed is not null) = (factor_type = 'totp'));

create table webauthn_credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The second factor that the credential proves. Null for a passkey, which signs in without a password.
  factor_id uuid constraint webauthn_credentials_factor_key unique references factors (id) on delete cascade,
  -- The id that the security key uses for the credential, as base64url. A security key registers an id once.
  credential_id text not null constraint webauthn_credentials_credential_key unique,
  public_key bytea not null,
  -- The number of signatures that the security key reports. 0 for security keys that do not count.
  sign_count bigint not null,
  -- The transports by which a browser can reach the security key, as the browser reported them.
  transports text[] not null,
  friendly_name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint webauthn_credentials_name_length check (length(friendly_name) <= 120)
);
create index webauthn_credentials_account_id on webauthn_credentials (account_id);

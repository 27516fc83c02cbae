-- Owned by module auth: programs that are registered as OAuth clients.
create table oauth_clients (
  id uuid primary key,
  name text not null,
  client_type text not null constraint oauth_clients_type check (client_type in ('confidential', 'public')),
  auth_method text not null constraint oauth_clients_auth_method check (
    auth_method in ('client_secret_basic', 'client_secret_post', 'none')
  ),
  -- The SHA-256 of the secret. Null for public clients.
  secret_hash bytea,
  redirect_uris text[] not null,
  grant_types text[] not null,
  client_uri text,
  logo_uri text,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint oauth_clients_secret check ((secret_hash is null) = (client_type = 'public')),
  constraint oauth_clients_public check ((auth_method = 'none') = (client_type = 'public'))
);

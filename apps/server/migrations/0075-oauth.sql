-- Owned by module auth: sign-ins through providers.
alter table accounts
  -- The time at which the person proved their address, by an email or through a provider. For an account that an
  -- administrator creates, the administrator vouches for the address. Null if the address was not proved, also if an
  -- open sign-up confirmed it without a proof.
  add column email_proved_at timestamptz;
update accounts a set email_proved_at = a.email_confirmed_at
where a.has_email and a.email_confirmed_at is not null
  -- The audit shows how the account was created. Without such an entry, the address counts as not proved.
  and exists (
    select from audit_entries e where e.entity_id = a.id::text
      and e.action in ('account.created', 'account.invited', 'account.signed_up')
  )
  -- Open sign-ups confirm an address at once. Without a mail server, approving a sign-up confirms it.
  and not (
    exists (select from audit_entries e where e.entity_id = a.id::text and e.action = 'account.signed_up')
    and (
      a.email_confirmed_at = a.created_at
      or a.email_confirmed_at is not distinct from a.approved_at
      or exists (
        select from audit_entries e
        where e.entity_id = a.id::text and e.action = 'account.approved' and e.at = a.email_confirmed_at
      )
    )
  )
  -- Without a mail server, an address is changed without a proof. With a mail server, the new address must be confirmed
  -- first.
  and not exists (
    select from audit_entries e
    where e.entity_id = a.id::text and e.action = 'email.changed' and e.at = a.email_confirmed_at
      and not exists (
        select from audit_entries asked
        where asked.entity_id = a.id::text and asked.action = 'profile.updated' and asked.at < e.at
          and lower(asked.after ->> 'new_email') = lower(a.email)
      )
  );

-- Sign-ins that a browser has started and will finish when a provider redirects it back. Each can be used once. Only a
-- hash is stored.
create table oauth_states (
  state_hash text primary key,
  provider text not null,
  redirect_to text,
  code_challenge text,
  code_challenge_method text constraint oauth_states_method check (code_challenge_method in ('s256', 'plain')),
  -- A hash of the cookie that identifies the browser. Null if a signed-in program started the sign-in.
  browser_hash text,
  -- The session that links the identity to its account.
  session_id uuid references sessions (id) on delete cascade,
  account_id uuid references accounts (id),
  created_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_states_begun_by check ((browser_hash is null) = (session_id is not null)),
  constraint oauth_states_link check ((session_id is null) = (account_id is null)),
  constraint oauth_states_challenge check ((code_challenge is null) = (code_challenge_method is null))
);
create index oauth_states_created_at on oauth_states (created_at);
create index oauth_states_session_id on oauth_states (session_id) where session_id is not null;

alter table flow_states
  -- The identity that signed in, and the provider's tokens for the client. They are kept until the code is exchanged.
  add column identity_id uuid references identities (id) on delete cascade,
  add column provider_tokens_sealed text;
create index flow_states_identity_id on flow_states (identity_id) where identity_id is not null;

-- Owned by module auth: where a second step of an account was passed. Wrong codes from there do not count for the limit
-- that an account has for all addresses together, so that a guesser elsewhere cannot lock the person out.

create table known_addresses (
  account_id uuid not null references accounts (id) on delete cascade,
  address text not null,
  at timestamptz not null,
  primary key (account_id, address)
);
create index known_addresses_at on known_addresses (at);

-- Of IPv6 a network counts, in a form that the sessions do not keep; those become known at their next second step.
insert into known_addresses (account_id, address, at)
select account_id, address, max(authenticated_at)
from sessions, lateral (values (ip), (last_used_ip)) as seen (address)
where aal = 'aal2' and address is not null and address not like '%:%'
group by account_id, address;

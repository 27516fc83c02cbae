-- Owned by module auth: addresses at which an account has passed a second step. Wrong codes from these addresses do not
-- count toward the account's limit for all addresses. So an attacker at another address cannot lock the person out.

create table known_addresses (
  account_id uuid not null references accounts (id) on delete cascade,
  address text not null,
  at timestamptz not null,
  primary key (account_id, address)
);
create index known_addresses_at on known_addresses (at);

-- An IPv6 address counts as its network. The sessions do not store networks in this form, so these addresses become
-- known at their next second step.
insert into known_addresses (account_id, address, at)
select account_id, address, max(authenticated_at)
from sessions, lateral (values (ip), (last_used_ip)) as seen (address)
where aal = 'aal2' and address is not null and address not like '%:%'
group by account_id, address;

-- Owned by module auth: each signing key is used for a fixed period, so that all replicas sign with the same key.
drop index signing_keys_one_active;
alter table signing_keys add column signs_from timestamptz;
update signing_keys set signs_from = created_at;
alter table signing_keys alter column signs_from set not null;
-- The time at which the next key replaces this one. Null for the last key.
alter table signing_keys rename column retired_at to signs_until;
create unique index signing_keys_one_last on signing_keys ((true)) where signs_until is null;

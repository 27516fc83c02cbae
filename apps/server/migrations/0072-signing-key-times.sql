-- Owned by module auth: signing keys follow each other at known times, so that all replicas sign with the same one.
drop index signing_keys_one_active;
alter table signing_keys add column signs_from timestamptz;
update signing_keys set signs_from = created_at;
alter table signing_keys alter column signs_from set not null;
-- From this moment on the next key signs; null for the last one.
alter table signing_keys rename column retired_at to signs_until;
create unique index signing_keys_one_last on signing_keys ((true)) where signs_until is null;

-- Owned by module auth: the address from which the code of a message was requested. Wrong codes from other addresses
-- have their own limit, so that an attacker cannot invalidate the code of the person who requested it.
alter table one_time_tokens
  -- The address in the form in which attempts are counted. Null for emails, and for codes of earlier versions.
  add column address text,
  add column wrong_codes_elsewhere integer not null default 0;

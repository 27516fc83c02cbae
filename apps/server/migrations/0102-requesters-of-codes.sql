-- Owned by module auth: where the code of a message was requested. Wrong codes from elsewhere have a limit of their own,
-- so that a guesser cannot end the code of the person who requested it.
alter table one_time_tokens
  -- The address in the form in which attempts are counted; null for mails and for codes of earlier versions.
  add column address text,
  add column wrong_codes_elsewhere integer not null default 0;

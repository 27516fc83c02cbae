-- Owned by module auth: an attempt counts as failed only once it has been judged.

alter table sign_in_failures
  -- Set while the attempt is being judged; past it, its process has died and the attempt counts for nothing.
  add column pending_until timestamptz,
  -- Whose password was compared, if anybody's: both names of an account share its guesses.
  add column account_id uuid;

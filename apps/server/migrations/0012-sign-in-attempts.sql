-- Owned by module auth: an attempt counts as failed only after it has been judged.

alter table sign_in_failures
  -- Set while the attempt is being judged. After this time its process has died, and the attempt does not count.
  add column pending_until timestamptz,
  -- The account whose password was compared; null if there is no such account. Guesses with the email address and with
  -- the username count together.
  add column account_id uuid;

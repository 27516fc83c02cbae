-- Owned by module users: emails that were not sent because no mail server is configured. Admins can read them.

create table outbox_mails (
  id uuid primary key,
  -- The account to which the email belongs. Its role determines who may read the email.
  account_id uuid references accounts (id),
  recipient text not null,
  subject text not null,
  -- Encrypted, because texts and links contain credentials, and a dump of the database must not show them.
  body_sealed text not null,
  created_at timestamptz not null
);
create index outbox_mails_newest on outbox_mails (created_at desc, id desc);

-- Owned by the platform: emails that a mail server has accepted. A task that runs twice sends each email once.
create table sent_mails (
  id uuid primary key,
  sent_at timestamptz not null
);
create index sent_mails_sent_at on sent_mails (sent_at);

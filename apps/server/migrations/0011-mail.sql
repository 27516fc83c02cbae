-- Owned by module users: mails that nobody sends, since no mail server is set, for admins to read.

create table outbox_mails (
  id uuid primary key,
  -- Whose mail it is: who may read it depends on that account's role.
  account_id uuid references accounts (id),
  recipient text not null,
  subject text not null,
  -- Text and links hold what signs people in, so a dump of the database must not show them.
  body_sealed text not null,
  created_at timestamptz not null
);
create index outbox_mails_newest on outbox_mails (created_at desc, id desc);

-- Owned by the platform: mails that a mail server has taken, so that a task that runs twice sends once.
create table sent_mails (
  id uuid primary key,
  sent_at timestamptz not null
);
create index sent_mails_sent_at on sent_mails (sent_at);

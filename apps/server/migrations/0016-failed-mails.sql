-- Owned by module users: mails that the mail server would not take lie in the outbox as well, with the reason.

alter table outbox_mails
  add column failed_at timestamptz,
  add column failure text,
  add constraint outbox_mails_failure check ((failed_at is null) = (failure is null));

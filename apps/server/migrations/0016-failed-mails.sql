-- Owned by module users: the outbox also contains emails that the mail server refused, with the reason.

alter table outbox_mails
  add column failed_at timestamptz,
  add column failure text,
  add constraint outbox_mails_failure check ((failed_at is null) = (failure is null));

-- Uploads that arrive in several requests (TUS). The object storage keeps one object for each chunk.

create table resumable_uploads (
  id uuid primary key,
  -- The purpose decides who may continue the upload, and whether it becomes an object of the storage or a model.
  purpose text not null constraint resumable_uploads_purpose check (purpose in ('object', 'model')),
  owner_id uuid references accounts (id),
  -- The service key that started the upload, if no account did. It is not a foreign key, because keys can be deleted.
  key_id uuid,
  constraint resumable_uploads_one_owner check ((owner_id is null) <> (key_id is null)),
  -- The header as the client sent it.
  metadata text not null,
  replaces boolean not null,
  length_bytes bigint not null constraint resumable_uploads_length check (length_bytes >= 0),
  received_bytes bigint not null default 0,
  constraint resumable_uploads_received check (received_bytes between 0 and length_bytes),
  chunk_count integer not null default 0,
  -- The latest request. Only this request may add bytes.
  writer uuid,
  -- The time at which the upload became an object or a model.
  finished_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index resumable_uploads_owner on resumable_uploads (owner_id);
create index resumable_uploads_key on resumable_uploads (key_id);
create index resumable_uploads_expiry on resumable_uploads (expires_at);

create table resumable_chunks (
  upload_id uuid not null references resumable_uploads (id) on delete cascade,
  start_bytes bigint not null,
  size_bytes bigint not null,
  object_key text not null constraint resumable_chunks_object_key unique,
  primary key (upload_id, start_bytes)
);

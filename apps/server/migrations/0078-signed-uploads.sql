-- An upload with the token of a signed URL belongs to that token. It is not counted among the uploads of the signer.

-- SHA-256 of the signed part of the token. Null for an upload that a session or an API key started.
alter table resumable_uploads add column token_hash text;
create index resumable_uploads_token on resumable_uploads (token_hash) where token_hash is not null;

-- Uploads with the token of a signed address belong to that token, and count apart from those of the signer.

-- SHA-256 of the signed part of the token. Null for an upload that began with a sign-in or a key.
alter table resumable_uploads add column token_hash text;
create index resumable_uploads_token on resumable_uploads (token_hash) where token_hash is not null;

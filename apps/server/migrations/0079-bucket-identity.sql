-- A bucket that is deleted and created again with the same name is another bucket.

alter table buckets add column uid uuid not null default gen_random_uuid();

-- The `uid` of the bucket when the upload started. Null for the upload of a model.
alter table resumable_uploads add column target_id uuid;

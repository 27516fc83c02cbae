-- Buckets that people and programs create, besides the built-in buckets.

-- Null for a built-in bucket, and for a bucket of a service key.
alter table buckets add column owner_id uuid references accounts (id);

-- The characters that the hosted service allows. A slash would end the name of the bucket in a URL.
alter table buckets drop constraint buckets_id_form;
alter table buckets add constraint buckets_id_form check (id ~ '^[A-Za-z0-9_!.*''() &$=@;:+,?-]{1,100}$');
alter table buckets add constraint buckets_size_limit check (file_size_limit >= 0);

-- Buckets that people and programs create beside those of the product.

-- Null for a bucket of the product or of a service key.
alter table buckets add column owner_id uuid references accounts (id);

-- The characters of the hosted service. A slash would end the name in an address.
alter table buckets drop constraint buckets_id_form;
alter table buckets add constraint buckets_id_form check (id ~ '^[A-Za-z0-9_!.*''() &$=@;:+,?-]{1,100}$');
alter table buckets add constraint buckets_size_limit check (file_size_limit >= 0);

-- What a later try has to know of the earlier ones.

-- A try was begun whose answer nobody heard, or nobody could trust: the site may have the product, under this slug.
alter table publications add column may_have_arrived boolean not null default false;
-- The product was changed between two tries: what the site has of the first is not what it is to have.
alter table publications add column is_mended boolean not null default false;

update publications
set may_have_arrived = tries > 0 and status <> 'published'
      and (http_status is null or http_status not between 400 and 499),
    is_mended = tries > 0 and status <> 'published';

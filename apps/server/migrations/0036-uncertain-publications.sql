-- Results of earlier attempts that a later attempt needs.

-- True if an attempt had no response, or a response that cannot be relied on. The site may have the product with this
-- slug.
alter table publications add column may_have_arrived boolean not null default false;
-- True if the product was changed between two attempts. The site then has outdated values from the first attempt.
alter table publications add column is_mended boolean not null default false;

update publications
set may_have_arrived = tries > 0 and status <> 'published'
      and (http_status is null or http_status not between 400 and 499),
    is_mended = tries > 0 and status <> 'published';

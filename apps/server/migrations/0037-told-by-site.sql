-- The values that the main site sent last, by the columns of products. The unpublished changes are shown beside them.
alter table site_checks add column told jsonb not null default '{}';

-- What the main site told when it last did, by the columns of products: what was changed here and is still to be
-- published can be named beside it.
alter table site_checks add column told jsonb not null default '{}';

-- Empty fields for which a person wants suggestions. The list is emptied when the suggestions have been made or have
-- failed.
alter table stl_files add column fields_to_suggest text[] not null default '{}';

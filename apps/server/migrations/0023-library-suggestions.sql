-- Fields that a person left empty and wants proposals for; emptied when they have been made, or given up.
alter table stl_files add column fields_to_suggest text[] not null default '{}';

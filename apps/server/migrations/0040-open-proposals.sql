-- Models whose suggestions are not finished are searched at each start. There are few of them.
create index stl_files_open_proposals on stl_files (created_at) where cardinality(fields_to_suggest) > 0;

-- Models that proposals are still wanted for are looked up at each start, and hardly any are.
create index stl_files_open_proposals on stl_files (created_at) where cardinality(fields_to_suggest) > 0;

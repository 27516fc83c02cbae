-- Recently deleted rows are listed by the time of their deletion.
create index spools_in_bin on spools (deleted_at desc, id desc) where deleted_at is not null;
create index print_jobs_in_bin on print_jobs (deleted_at desc, id desc) where deleted_at is not null;

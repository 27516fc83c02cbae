-- Owned by module print-queue: the nightly replenishment proposals.
create table replenishment_schedule (
  is_only boolean primary key default true constraint replenishment_schedule_one check (is_only),
  -- The proposals are made from this hour on. Null: no nightly proposals.
  hour integer constraint replenishment_schedule_hour check (hour between 0 and 23),
  time_zone text not null constraint replenishment_schedule_time_zone check (length(time_zone) between 1 and 64)
);
insert into replenishment_schedule (hour, time_zone) values (2, 'UTC');

-- One row for each night whose proposals were made, so that no other process makes them again.
create table replenishment_nights (
  night text primary key constraint replenishment_nights_night check (night ~ '^\d{4}-\d\d-\d\d$'),
  -- Null for the day on which the shop was installed. The first proposals are made in the next night.
  ran_at timestamptz
);
insert into replenishment_nights (night) values (to_char(now() at time zone 'UTC', 'YYYY-MM-DD'));

create table replenishment_proposals (
  id uuid primary key,
  item_id uuid not null references items (id),
  -- `settled`: a later night found that no pieces are missing.
  state text not null constraint replenishment_proposals_state check (state in ('open', 'accepted', 'dismissed', 'settled')),
  -- The number of missing pieces when the proposal was last made.
  missing integer not null constraint replenishment_proposals_missing check (missing > 0),
  proposed_at timestamptz not null,
  decided_at timestamptz,
  print_job_id uuid references print_jobs (id),
  constraint replenishment_proposals_decided check ((decided_at is null) = (state = 'open'))
);
create unique index replenishment_proposals_open on replenishment_proposals (item_id) where state = 'open';
create index replenishment_proposals_of_item on replenishment_proposals (item_id, decided_at desc);
create index replenishment_proposals_of_job on replenishment_proposals (print_job_id) where print_job_id is not null;

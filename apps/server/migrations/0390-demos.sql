-- Owned by module demo: the demo of this shop, which has its own database and files. There is at most one. The row is
-- inserted before the demo is created, and deleted after everything else. So the next start of a server finds and
-- removes what a crash left behind.
create table demos (
  id uuid primary key,
  state text not null check (state in ('making', 'ready', 'removing', 'failed')),
  percent smallint not null default 0 check (percent between 0 and 100),
  -- Identifies the server that creates or removes the demo, and the time of its last heartbeat.
  worker uuid not null,
  worked_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index demos_only_one on demos ((true));

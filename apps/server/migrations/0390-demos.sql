-- Owned by module demo: the demo of this shop, which has a database and files of its own. There is at most one. The row
-- exists before anything of the demo does, and is deleted after everything else, so that the next start of a server
-- finds and removes the leftovers of a crash.
create table demos (
  id uuid primary key,
  state text not null check (state in ('making', 'ready', 'removing', 'failed')),
  percent smallint not null default 0 check (percent between 0 and 100),
  -- Identifies the server that makes or removes the demo, and its last sign of life.
  worker uuid not null,
  worked_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index demos_only_one on demos ((true));

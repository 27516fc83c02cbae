-- Owned by module printer-connectors: the server that polls each printer, and the progress of a plate that is sent.

create table printer_connections (
  printer_id uuid primary key references printers (id),
  -- The process that is using the printer. The claim of a dead process ends by itself.
  claimed_by uuid,
  claimed_until timestamptz,
  constraint printer_connections_claim check ((claimed_by is null) = (claimed_until is null)),
  ask_after timestamptz not null default '-infinity',
  -- The number of failed calls in a row.
  failures integer not null default 0 constraint printer_connections_failures check (failures >= 0),
  -- The reason why the bed is occupied while the printer is idle, such as a print that was started by hand. Null: the
  -- bed is free, or it holds one of our plates.
  bed_note text,
  camera_asked_at timestamptz
);

-- A plate that is being sent to a printer. Each step is recorded before it is taken, so that a step is not repeated
-- unnoticed after a crash.
create table plate_dispatches (
  plate_id uuid primary key references job_plates (id),
  printer_id uuid not null references printers (id),
  remote_name text not null,
  upload_begun_at timestamptz,
  uploaded_at timestamptz,
  start_sent_at timestamptz,
  starts integer not null default 0 constraint plate_dispatches_starts check (starts >= 0),
  cancel_sent_at timestamptz,
  -- The time at which the printer was first seen without this print. A later print of the same file was started by
  -- somebody else.
  closed_at timestamptz,
  created_at timestamptz not null,
  constraint plate_dispatches_name_key unique (printer_id, remote_name)
);
create index plate_dispatches_open on plate_dispatches (printer_id) where closed_at is null;

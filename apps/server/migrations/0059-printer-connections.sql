-- Owned by module printer-connectors: who asks which printer, and how far a plate is on its way.

create table printer_connections (
  printer_id uuid primary key references printers (id),
  -- The process that talks to the printer now. A dead process's claim ends by itself.
  claimed_by uuid,
  claimed_until timestamptz,
  constraint printer_connections_claim check ((claimed_by is null) = (claimed_until is null)),
  ask_after timestamptz not null default '-infinity',
  -- Calls that failed in a row.
  failures integer not null default 0 constraint printer_connections_failures check (failures >= 0),
  -- Why the bed is occupied once the machine rests, such as a print that was started by hand. Null: it is free, or a plate
  -- of ours says so.
  bed_note text,
  camera_asked_at timestamptz
);

-- A plate on its way to a printer, with each step kept before it is taken, so that a crash never repeats one unseen.
create table plate_dispatches (
  plate_id uuid primary key references job_plates (id),
  printer_id uuid not null references printers (id),
  remote_name text not null,
  upload_begun_at timestamptz,
  uploaded_at timestamptz,
  start_sent_at timestamptz,
  starts integer not null default 0 constraint plate_dispatches_starts check (starts >= 0),
  cancel_sent_at timestamptz,
  -- When the printer was first seen without this print. After that, a print of the same file is somebody else's.
  closed_at timestamptz,
  created_at timestamptz not null,
  constraint plate_dispatches_name_key unique (printer_id, remote_name)
);
create index plate_dispatches_open on plate_dispatches (printer_id) where closed_at is null;

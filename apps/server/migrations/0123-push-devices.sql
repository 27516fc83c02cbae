-- in steps
-- Owned by module channels: the key pair that identifies this installation to push services (VAPID).
create table push_keys (
  is_only boolean primary key default true constraint push_keys_one check (is_only),
  public_key text not null,
  private_key_sealed text not null,
  created_at timestamptz not null
);

-- Owned by module channels: browsers that show notifications. A device belongs to one session and ends with it.
create table push_devices (
  id uuid primary key,
  session_id uuid not null constraint push_devices_session unique references sessions (id) on delete cascade,
  -- Finds the device by its address at the push service, which is stored only encrypted.
  endpoint_hash text not null constraint push_devices_endpoint unique,
  -- The address and the keys of the browser, encrypted, because anybody who knows them can send notifications.
  subscription_sealed text not null,
  -- Times of day such as 22:00, in the time zone. If the end is before the start, the quiet hours continue after
  -- midnight.
  quiet_from text,
  quiet_until text,
  time_zone text not null default 'UTC',
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint push_devices_quiet_hours check ((quiet_from is null) = (quiet_until is null))
);

-- A delivery is sent either to a channel or to a device.
alter table channel_deliveries add column device_id uuid;
-- may block: the change of the column reads no row, and the previous version always inserts a channel
alter table channel_deliveries alter column channel_id drop not null;
alter table channel_deliveries add constraint channel_deliveries_device
  foreign key (device_id) references push_devices (id) on delete cascade not valid;
alter table channel_deliveries validate constraint channel_deliveries_device;
alter table channel_deliveries add constraint channel_deliveries_recipient
  check ((channel_id is null) <> (device_id is null)) not valid;
alter table channel_deliveries validate constraint channel_deliveries_recipient;

create index concurrently channel_deliveries_device_due on channel_deliveries (device_id, next_attempt_at)
  where state = 'waiting' and device_id is not null;
create index concurrently channel_deliveries_device_log on channel_deliveries (device_id, created_at desc, id desc)
  where device_id is not null;

-- The hash of an archive entry that was read before a person chose entries. With it, the server knows whether the
-- library already has the file.
alter table stl_import_entries add column sha256 text;
-- The time at which the turntable could last not be drawn. People who wait for it see the failure.
alter table stl_versions add column turntable_failed_at timestamptz;

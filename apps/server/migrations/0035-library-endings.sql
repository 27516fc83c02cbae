-- What a file of an archive is by its bytes, where it was looked at before anybody chose: the library may have it already.
alter table stl_import_entries add column sha256 text;
-- When its turntable last could not be drawn, so that whoever waits for it is told.
alter table stl_versions add column turntable_failed_at timestamptz;

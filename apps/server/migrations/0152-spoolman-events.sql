-- Owned by module filament: programs that were made for Spoolman are notified of each change of a vendor, a filament,
-- an extra field and a setting, whichever statement made it. Changes of spools are published by the module itself.
create function tell_spoolman_of_row() returns trigger language plpgsql as $$
declare
  was_live boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  is_live boolean := new.deleted_at is null;
begin
  -- A row that was only touched has not changed.
  if was_live and to_jsonb(old) - '{updated_at,revision}'::text[] = to_jsonb(new) - '{updated_at,revision}'::text[] then
    return null;
  end if;
  if was_live or is_live then
    perform pg_notify('pegasus_spoolman', json_build_object(
      'type', case when not was_live then 'added' when is_live then 'updated' else 'deleted' end,
      'resource', tg_argv[0], 'id', new.id)::text);
  end if;
  return null;
end $$;

create trigger vendors_spoolman after insert or update on vendors
  for each row execute function tell_spoolman_of_row('vendor');
create trigger filaments_spoolman after insert or update on filaments
  for each row execute function tell_spoolman_of_row('filament');

create function tell_spoolman_of_setting() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  -- The extra fields of each kind of object are one setting.
  perform pg_notify('pegasus_spoolman', json_build_object(
    'type', case when tg_op = 'DELETE' and tg_argv[0] = 'setting' then 'deleted' else 'updated' end,
    'resource', 'setting',
    'id', case when tg_argv[0] = 'setting' then changed ->> 'key' else 'extra_fields_' || (changed ->> 'entity') end)::text);
  return null;
end $$;

create trigger program_settings_spoolman after insert or update or delete on program_settings
  for each row execute function tell_spoolman_of_setting('setting');
create trigger extra_fields_spoolman after insert or update or delete on extra_fields
  for each row execute function tell_spoolman_of_setting('field');

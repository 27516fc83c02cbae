-- Owned by module filament: data of programs that were made for Spoolman.

-- Extra fields of vendors, filaments or spools. The column `extra` of those tables contains the values by key, each as
-- JSON text.
create table extra_fields (
  id uuid primary key,
  entity text not null constraint extra_fields_entity check (entity in ('vendor', 'filament', 'spool')),
  key text not null constraint extra_fields_key_form check (key ~ '^[a-z0-9_]{1,64}$'),
  name text not null,
  -- The position of the field in forms.
  position integer not null default 0,
  unit text,
  field_type text not null constraint extra_fields_type check (field_type in
    ('text', 'integer', 'integer_range', 'float', 'float_range', 'datetime', 'boolean', 'choice')),
  -- JSON text.
  default_value text,
  choices text[],
  multi_choice boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint extra_fields_key unique (entity, key)
);

-- Settings of these programs, as JSON text. Pegasus Ops does not use them.
create table program_settings (
  key text primary key,
  value text not null constraint program_settings_length check (length(value) <= 65535),
  updated_at timestamptz not null
);

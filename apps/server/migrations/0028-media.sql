-- Owned by module media: files of products, by name in buckets. The object storage keeps the content under its hash.

create table buckets (
  id text primary key constraint buckets_id_form check (id ~ '^[A-Za-z0-9_.-]{1,100}$'),
  name text not null,
  -- True if everybody may read the files.
  is_public boolean not null default false,
  file_size_limit bigint,
  -- The allowed types. Null: all types that the server can check.
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

insert into buckets (id, name, is_public) values ('product-images', 'product-images', true);

create table objects (
  id uuid primary key,
  bucket_id text not null references buckets (id),
  -- The name with its folders, such as `images/products/dragon.jpg`. It is never used as a path on a disk.
  name text not null constraint objects_name_length check (length(name) between 1 and 700),
  storage_key text not null,
  sha256 text not null constraint objects_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  content_type text not null,
  cache_control text not null,
  width_px integer,
  height_px integer,
  -- Additional data of the client.
  user_metadata jsonb,
  -- A new value for each replacement of the file.
  version uuid not null,
  owner_id uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint objects_name_key unique (bucket_id, name)
);
-- The collation "C" makes a folder a range of the index.
create index objects_folder on objects (bucket_id, name collate "C");
create index objects_bytes on objects (sha256);

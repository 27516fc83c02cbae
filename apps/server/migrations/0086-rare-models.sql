-- Indexes for the list of the library, newest first, filtered by a material or a person. Without them, a filter with
-- few matches reads the whole library.
create index stl_files_material on stl_files (lower(print_material), created_at desc, id desc) where deleted_at is null;
create index stl_files_uploaded_by on stl_files (uploaded_by, created_at desc, id desc) where deleted_at is null;

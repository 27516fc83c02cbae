-- A job prints the version with which it was queued. So its picture shows that version, not the current version of the
-- model.

create or replace view library_models as
select f.id, f.title, f.license_type, f.sale_allowed, f.is_product, f.current_version_id, f.deleted_at,
       v.thumbnail_key is not null and f.deleted_at is null as has_picture, v.number as version_number
from stl_files f
join stl_versions v on v.id = f.current_version_id;

-- `picture_version` identifies the file of a picture in the picture's address. It is the hash of the uploaded file,
-- also if a clean copy is served.
create or replace view library_versions as
select v.id, v.stl_file_id, v.file_name, coalesce(v.clean_file_size, v.file_size) as file_size,
       coalesce(v.clean_sha256, v.sha256) as sha256, coalesce(v.clean_object_key, v.object_key) as object_key, v.format,
       v.number, left(v.sha256, 12) as picture_version, v.thumbnail_key is not null as has_picture
from stl_versions v;

create or replace view scannable_jobs as
select j.id, j.label_code, coalesce(i.name, m.title, '') as name, j.status, j.quantity, j.good_quantity,
       j.rejected_quantity, j.priority, o.order_number, j.due_at, '#' || i.color_hex as color_hex,
       m.id as stl_file_id, coalesce(v.has_picture and m.deleted_at is null, false) as has_picture, v.picture_version
from print_jobs j
left join items i on i.id = j.item_id
left join library_models m on m.id = coalesce(j.stl_file_id, i.stl_file_id)
left join library_versions v on v.id = coalesce(j.stl_version_id, m.current_version_id)
left join orders o on o.id = j.order_id
where j.deleted_at is null;

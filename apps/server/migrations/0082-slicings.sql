-- Owned by module slices: slicing runs can be cancelled. A version has at most one unfinished run for each profile and
-- number of pieces.
alter table slicing_runs
  drop constraint slicing_runs_state,
  add constraint slicing_runs_state check (state in ('pending', 'done', 'failed', 'cancelled'));
create unique index slicing_runs_one_pending on slicing_runs (stl_version_id, profile_id, pieces) where state = 'pending';

alter table slicer_profiles
  add column layer_height_mm numeric(5, 3) constraint slicer_profiles_layer_height check (layer_height_mm > 0);

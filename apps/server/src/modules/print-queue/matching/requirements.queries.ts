import type { SliceFormat } from '@pegasus/contracts/slices/slices'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { queueOrder } from '../jobs/queue-order.ts'
import { isGivenUp } from '../plates/give-up.ts'
import { printOfFile, shareOfFile } from '../plates/plates.queries.ts'
import type { PlateTool } from './filament/place-tools.ts'

/** A sliced file of the version that a job prints. */
export interface RequiredSlice {
  id: string
  printer_model: string | null
  printer_model_key: string | null
  nozzle_mm: number | null
  /** Width, depth and height of the bed for which the file was made. The height can be unknown. */
  bed_mm: [number, number, number | null] | null
  file_name: string
  grams: number | null
  minutes: number | null
  pieces: number
  /** Number of plates for one print: more than 1 if one piece is spread over all plates of the file. */
  plates_per_print: number
  format: SliceFormat
  tools: PlateTool[]
}

/** The values of a job that a printer must match. */
export interface JobRequirements
  extends Row<
    'print_jobs',
    | 'id'
    | 'label_code'
    | 'status'
    | 'hold_reason'
    | 'quantity'
    | 'good_quantity'
    | 'rejected_quantity'
    | 'pieces_per_plate'
    | 'slice_id'
    | 'match_strictness'
    | 'assigned_printer_id'
    | 'assigned_anyway'
    | 'priority'
    | 'position'
    | 'created_at'
    | 'due_at'
    | 'estimated_minutes'
  > {
  /** Number of pieces on running plates. */
  running_pieces: number
  /** Whether this running job gets no further plate, because its last plates have failed. */
  is_given_up: boolean
  stl_file_id: string | null
  material: string | null
  color: string | null
  /** The label of the chosen spool. */
  spool_label: string | null
  spool_id: string | null
  product: string | null
  /** The weight for all pieces of the job, in grams. */
  estimated_grams: number | null
  /** Width, depth and height of the model, in millimeters. */
  size_mm: number[] | null
  /** The format of the model: `stl`, `3mf` or `obj`. Null for a job without a model. */
  model_format: string | null
  slices: RequiredSlice[]
}

type RequirementsRow = Omit<JobRequirements, 'slices'> & Row<'print_jobs', 'stl_version_id'>

/**
 * Returns the requirements of jobs, in no particular order. Deleted jobs are left out. Jobs for the same
 * version share one array of sliced files.
 */
export async function readRequirements(
  sql: Queryable,
  jobIds: readonly string[],
): Promise<JobRequirements[]> {
  const rows = await sql<RequirementsRow[]>`
    select j.id, j.label_code, j.status, j.hold_reason, j.quantity, j.good_quantity, j.rejected_quantity, j.pieces_per_plate, j.slice_id,
           j.match_strictness, j.assigned_printer_id, j.assigned_anyway, j.priority, j.position, j.created_at, j.due_at, j.estimated_minutes,
           case when j.status = 'in_progress' then (
             select coalesce(sum(r.pieces), 0)::int from job_plates r
             where r.print_job_id = j.id and r.state in ('sending', 'printing', 'paused', 'printed')) else 0 end as running_pieces,
           ${isGivenUp(sql)} as is_given_up,
           coalesce(j.stl_file_id, i.stl_file_id) as stl_file_id, j.stl_version_id,
           nullif(trim(coalesce(j.material, s.material, i.material_used)), '') as material,
           nullif(trim(coalesce(j.color, s.color, i.color)), '') as color,
           s.label_code as spool_label, s.id as spool_id, nullif(s.name, '') as product,
           j.estimated_grams::float8, v.size_mm, v.format as model_format
    from print_jobs j
    left join stock_items i on i.id = j.item_id
    left join stock_spools s on s.id = j.spool_id
    left join library_versions v on v.id = j.stl_version_id
    where j.id = any (${[...jobIds]}::uuid[]) and j.deleted_at is null`
  const slices = await readSlices(sql, new Set(rows.flatMap((row) => row.stl_version_id ?? [])))
  const none: RequiredSlice[] = []
  return rows.map((row) => ({ ...row, slices: slices.get(row.stl_version_id ?? '') ?? none }))
}

/** Returns the sliced files of versions as a map by version id. The newest file comes first. */
async function readSlices(
  sql: Queryable,
  versionIds: ReadonlySet<string>,
): Promise<Map<string, RequiredSlice[]>> {
  if (versionIds.size === 0) return new Map()
  const rows = await sql<{ id: string; slices: RequiredSlice[] }[]>`
    select f.stl_version_id as id,
           jsonb_agg(jsonb_build_object(
             'id', f.id, 'printer_model', f.printer_model, 'printer_model_key', f.printer_model_key,
             'nozzle_mm', f.nozzle_mm, 'bed_mm', f.bed_mm, 'file_name', f.file_name, 'grams', f.grams, 'minutes', f.minutes, 'pieces', f.pieces,
             'plates_per_print', f.plates_per_print,
             'format', f.format, 'tools', f.tools) order by f.created_at desc, f.plate, f.id) as slices
    from printable_slices f
    where f.stl_version_id = any (${[...versionIds]}::uuid[]) and f.deleted_at is null
    group by f.stl_version_id`
  return new Map(rows.map(({ id, slices }) => [id, slices]))
}

export interface LoadedFilament {
  slot: number
  id: string
  label: string
  material: string
  product: string | null
  color: string | null
  /** The color as `rrggbb`. */
  color_hex: string | null
  remaining_grams: number
}

/** The first job in queue order that is assigned to a printer. */
interface FirstAssigned {
  id: string
  label: string
  priority: number
  position: number
}

/** The plate that is on the bed of a printer. */
interface RunningPlate {
  job_id: string
  pieces: number
  is_printed: boolean
  started_at: string
  /** Print time according to the sliced file. */
  minutes: number | null
  /** Grams that were measured or are expected for the plate. They are booked when the plate ends. Null if unknown. */
  grams: number | null
  slice_id: string | null
  /** The spool with which the plate was started. */
  spool_id: string | null
}

/** A printer with the data that is needed to match it with jobs. */
export interface Candidate
  extends Row<
    'printers',
    | 'id'
    | 'name'
    | 'model'
    | 'kind'
    | 'state'
    | 'state_reason'
    | 'state_until'
    | 'state_until_day'
    | 'finishes_at'
    | 'takes_jobs'
    | 'seen_at'
    | 'silence_of'
  > {
  label_code: string
  model_key: string | null
  /** The bed (width, depth and height in millimeters) from the agent's last claim, otherwise as a person entered it. */
  bed_mm: number[] | null
  nozzle_mm: number | null
  /** Whether the bed was stated in the agent's last claim. */
  has_stated_bed: boolean
  has_stated_nozzle: boolean
  /** Whether an agent has claimed jobs for this printer, and stated what it can print. */
  has_stated: boolean
  /** The materials that the agent of the printer stated, in lower case. Null if it accepts any material. */
  stated_materials: string[] | null
  /** The file formats that the agent of the printer stated, in lower case. Null if it accepts any format. */
  stated_file_types: string[] | null
  progress: number | null
  loaded: LoadedFilament[]
  slot_count: number
  /** The slots without a spool, in ascending order. */
  empty_slots: number[]
  /** The name of the job whose plate is on the bed of the printer. */
  printing: string | null
  running: RunningPlate | null
  first_assigned: FirstAssigned | null
}

/** Returns all printers, sorted by number, or only the printer with this id. */
export const readCandidates = (sql: Queryable, printerId: string | null = null): Promise<Candidate[]> =>
  sql<Candidate[]>`
    select p.id, p.label_code, p.name, p.model, p.kind, p.state, p.state_reason, p.state_until, p.state_until_day,
           coalesce(f.facts -> 'bed_mm', p.bed_mm) as bed_mm, f.facts is not null as has_stated,
           f.facts -> 'bed_mm' is not null as has_stated_bed, f.facts -> 'nozzle_mm' is not null as has_stated_nozzle, f.facts -> 'materials' as stated_materials,
           f.facts -> 'file_types' as stated_file_types, p.finishes_at, p.takes_jobs, p.seen_at, p.silence_of,
           coalesce((f.facts ->> 'nozzle_mm')::float8, p.nozzle_mm::float8) as nozzle_mm, p.progress::float8, printer_model_key(p.model) as model_key,
           o.loaded, o.slot_count, o.empty_slots, r.printing, r.running, a.first_assigned
    from printers p
    cross join lateral (select case when p.kind = 'agent' then p.agent_facts end as facts) f
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object(
               'slot', t.slot, 'id', s.id, 'label', s.label_code, 'material', s.material, 'product', nullif(s.name, ''),
               'color', nullif(s.color, ''), 'color_hex', s.color_hex, 'remaining_grams', round(s.remaining_grams, 2)) order by t.slot)
               filter (where s.id is not null), '[]') as loaded,
             coalesce(jsonb_agg(t.slot order by t.slot) filter (where s.id is null), '[]') as empty_slots,
             count(*)::int as slot_count
      from printer_slots t left join stock_spools s on s.id = t.spool_id and s.deleted_at is null
      where t.printer_id = p.id
    ) o
    left join lateral (
      select j.label_code as printing,
             jsonb_build_object('job_id', j.id, 'pieces', r.pieces, 'is_printed', r.state = 'printed',
                                'started_at', r.started_at, 'slice_id', r.slice_id, 'spool_id', r.spool_id,
                                'grams', round(coalesce(r.used_grams, ${printOfFile(sql, sql`r`, sql`f`, 'grams')} * ${shareOfFile(sql, sql`r`, sql`f`)},
                                                        j.estimated_grams * r.pieces / j.quantity), 2),
                                'minutes', ${printOfFile(sql, sql`r`, sql`f`, 'minutes')} * ${shareOfFile(sql, sql`r`, sql`f`)}) as running
      from job_plates r
      join print_jobs j on j.id = r.print_job_id
      left join printable_slices f on f.id = r.slice_id
      where r.printer_id = p.id and r.state in ('sending', 'printing', 'paused', 'printed')
    ) r on true
    left join lateral (
      select jsonb_build_object('id', w.id, 'label', w.label_code, 'priority', w.priority, 'position', w.position)
               as first_assigned
      from print_jobs w
      where w.assigned_printer_id = p.id and w.deleted_at is null and w.status = 'pending'
      order by ${queueOrder(sql, 'w')} limit 1
    ) a on true
    where p.deleted_at is null ${printerId === null ? sql`` : sql`and p.id = ${printerId}`}
    order by p.number`

/** A spool in stock. `printer_id` is null if it is in no printer. */
export type UnloadedSpool = Omit<LoadedFilament, 'slot'> & { printer_id: string | null }

/**
 * Returns spools that are in no printer. Of each product, material and color, returns the fullest ones: `most` of them,
 * and as many more as weigh `grams` together. Also returns all spools in `chosenIds`, even if they are in a printer.
 */
export const readUnloadedSpools = (
  sql: Queryable,
  {
    materials,
    chosenIds,
    most,
    grams,
  }: { materials: readonly string[]; chosenIds: readonly string[]; most: number; grams: number },
): Promise<UnloadedSpool[]> =>
  sql<UnloadedSpool[]>`
    select id, label, material, product, color, color_hex, remaining_grams, printer_id
    from (
      select r.*, coalesce(sum(r.remaining_grams) filter (where r.n > ${most}) over (
               partition by r.filament, r.chosen_id order by r.n rows between unbounded preceding and 1 preceding), 0) as before
      from (
        select s.id, s.label_code as label, s.material, nullif(s.name, '') as product, nullif(s.color, '') as color,
               s.color_hex, s.remaining_grams::float8, o.printer_id, f.filament, c.id as chosen_id,
               row_number() over (partition by f.filament, c.id order by s.remaining_grams desc, s.id) as n
        from stock_spools s
        cross join lateral (
          select array[lower(s.material), lower(s.name), lower(s.color), lower(s.color_hex)] as filament) f
        left join printer_slots o on o.spool_id = s.id
        left join unnest(${[...chosenIds]}::uuid[]) c (id) on c.id = s.id
        where s.deleted_at is null and s.status in ('active', 'low') and lower(s.material) = any (${[...materials]}::text[])
          and (o.printer_id is null or c.id is not null)
      ) r
    ) t
    where n <= ${most} or before < ${grams} or chosen_id is not null
    order by lower(material), lower(product), lower(color), remaining_grams desc, id`

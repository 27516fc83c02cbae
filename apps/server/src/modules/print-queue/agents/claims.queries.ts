import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { fitsBed, isOfMaterial, isPlacedOn, usesOnly } from '../../slices/index.ts'
import { queueOrder } from '../jobs/queue-order.ts'
import { isGivenUp } from '../plates/give-up.ts'
import type { AgentFacts } from './silent-printers.queries.ts'

/** The capabilities of a claim's printer. Null means no limit. */
export interface ClaimNeeds {
  printerId: string | null
  printerModel: string | null
  /** The names are in lower case. */
  materials: readonly string[] | null
  bedMm: readonly number[] | null
  nozzleMm: number | null
  /** The extensions are in lower case. */
  fileTypes: readonly string[] | null
}

export type ClaimingPrinter = Pick<
  Row<'printers', 'id' | 'kind' | 'state' | 'model'>,
  'id' | 'kind' | 'state' | 'model'
> & {
  bed_mm: number[] | null
  nozzle_mm: number | null
  /** Whether a spool is recorded in one of its slots. */
  has_spools: boolean
}

/** Returns the printer with this name. Adds a printer of kind `agent` if there is none. */
export async function ensureAgentPrinter(
  tx: Queryable,
  printer: { id: string; name: string; facts: AgentFacts },
  now: Date,
): Promise<ClaimingPrinter> {
  const { facts } = printer
  const bed = facts.bed_mm ? tx.json(facts.bed_mm) : null
  await tx`
    with added as (
      insert into printers (id, name, kind, bed_mm, nozzle_mm, agent_facts, agent_facts_at, seen_at, created_at, updated_at)
      values (${printer.id}, ${printer.name}, 'agent', ${bed}, ${facts.nozzle_mm ?? null}, ${tx.json({ ...facts })}, ${now},
              ${now}, ${now}, ${now})
      on conflict (lower(name)) where deleted_at is null do nothing returning id
    )
    insert into printer_slots (printer_id, slot) select id, 1 from added`
  const [row] = await tx<[ClaimingPrinter]>`
    select id, kind, state, model, bed_mm, nozzle_mm::float8,
           exists (
             select from printer_slots t join stock_spools s on s.id = t.spool_id and s.deleted_at is null
             where t.printer_id = printers.id) as has_spools
    from printers
    where lower(name) = lower(${printer.name}) and deleted_at is null`
  return row
}

/**
 * Makes the claims for one printer run one at a time. Otherwise, a claim that is refused in the end could meanwhile
 * lock a job that another printer needs.
 */
export async function lockClaimsOf(tx: Queryable, printerId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`claim ${printerId}`}, 0))`
}

/**
 * Returns the SQL condition that an admin has assigned the job `j` to the claim's printer although it does not fit. For
 * such a job, the bed, the nozzle, the printer model and the material are not checked.
 */
const isOverridden = (sql: Queryable, { printerId }: ClaimNeeds): Fragment =>
  printerId === null ? sql`false` : sql`(j.assigned_anyway and j.assigned_printer_id = ${printerId}::uuid)`

/**
 * Returns the SQL for the material of the job `j`, for use in the query of `fitting`. The value is null if the job
 * accepts any material.
 */
const jobMaterial = (sql: Queryable): Fragment =>
  sql`nullif(trim(coalesce(j.material, s.material, i.material_used)), '')`

/**
 * Returns the SQL condition that the chosen sliced file `f` is made for the model of the claim's printer. A file that
 * names no model fits every printer of an agent, because the agent decides. Every file fits if the claim names no
 * printer, or if the model of the printer is unknown.
 */
const isForPrinter = (sql: Queryable, { printerId, printerModel }: ClaimNeeds): Fragment =>
  printerId === null || printerModel === null
    ? sql`true`
    : sql`(f.printer_model_key is null or f.printer_model_key = printer_model_key(${printerModel}::text))`

const isForNozzle = (sql: Queryable, { nozzleMm }: ClaimNeeds): Fragment =>
  sql`(f.nozzle_mm is null or ${nozzleMm}::numeric is null or f.nozzle_mm = ${nozzleMm}::numeric)`

/**
 * Returns the SQL condition that the sliced file `f` is for the material of the job, and uses only materials that the
 * claim lists.
 */
const hasMaterials = (sql: Queryable, { materials }: ClaimNeeds): Fragment =>
  sql`(${isOfMaterial(sql, jobMaterial(sql))} and ${usesOnly(sql, materials)})`

/**
 * Returns the SQL condition that an agent can print the sliced file `f`. An agent prints only one plate at a time. So
 * it gets no file in which one piece is spread over several plates.
 */
const isReadable = (sql: Queryable, { fileTypes }: ClaimNeeds): Fragment => sql`
  (f.plates_per_print = 1 ${fileTypes === null ? sql`` : sql`and f.format = any (${[...fileTypes]}::text[])`})`

/**
 * Returns the SQL condition that a job is not left to people, for an agent that does not state its file formats. A job
 * is left to people if nobody chose a file for it, and if in each of its sliced files for the printer, one piece is
 * spread over several plates. The agent would print only one of these plates, or get a model that it may not be able to
 * read.
 */
const isNotByHand = (sql: Queryable, needs: ClaimNeeds): Fragment => {
  const hasSlice = (condition: Fragment) => sql`exists (
    select from printable_slices f
    where f.stl_version_id = j.stl_version_id and f.deleted_at is null and ${condition} and ${isForPrinter(sql, needs)})`
  return sql`(j.slice_id is not null or not ${hasSlice(sql`f.plates_per_print > 1`)} or ${hasSlice(sql`f.plates_per_print = 1`)})`
}

/**
 * Returns the SQL condition that no file was chosen for the job, or that the printer can print the chosen file. A file
 * in the trash is not printed. If an admin has overridden a misfit, only the format of the file has to match.
 */
const canPrintChosen = (sql: Queryable, needs: ClaimNeeds): Fragment => sql`
  (j.slice_id is null or not exists (
    select from printable_slices f
    where f.id = j.slice_id and not (
      f.deleted_at is null and ${isReadable(sql, needs)} and (${isOverridden(sql, needs)} or (
        ${hasMaterials(sql, needs)} and ${isForNozzle(sql, needs)} and ${isForPrinter(sql, needs)})))))`

/**
 * Returns the SQL condition that the printer can read a file of the job: the chosen sliced file, a sliced file that is
 * made for the printer, or the model itself. If an admin has overridden a misfit, the sliced file may be for another
 * nozzle or material.
 */
const hasFile = (sql: Queryable, needs: ClaimNeeds): Fragment => sql`
  ((j.slice_id is null and v.format = any (${[...(needs.fileTypes ?? [])]}::text[])) or exists (
    select from printable_slices f
    where f.stl_version_id = j.stl_version_id and f.deleted_at is null and ${isReadable(sql, needs)}
      and (f.id = j.slice_id or (
        j.slice_id is null
        and (f.printer_model_key is null or f.printer_model_key = printer_model_key(${needs.printerModel}::text))
        and (${isOverridden(sql, needs)}
          or (${hasMaterials(sql, needs)} and ${isForNozzle(sql, needs)}))))))`

/**
 * Returns the SQL condition that the model of a job fits on the bed of the claim, or that a sliced file for the printer
 * was made for such a bed. The slicer may have laid the model on another side in that file. The claim then gets that
 * file, because `findBestSlice` puts it first.
 */
const fitsClaimedBed = (sql: Queryable, needs: ClaimNeeds): Fragment =>
  needs.bedMm === null
    ? sql`true`
    : sql`
  (v.size_mm is null or ${fitsBed(sql, sql`v.size_mm`, needs.bedMm)} or exists (
    select from printable_slices f
    where f.stl_version_id = j.stl_version_id and f.deleted_at is null and ${isReadable(sql, needs)}
      and (f.id = j.slice_id or j.slice_id is null)
      and ${hasMaterials(sql, needs)} and ${isForNozzle(sql, needs)}
      and (f.printer_model_key is null or f.id = j.slice_id
           or f.printer_model_key = printer_model_key(${needs.printerModel}::text))
      and ${isPlacedOn(sql, { printerModel: needs.printerModel, bedMm: needs.bedMm })}))`

/** Returns the SQL condition that the claim names the material of the job, or that any material is possible. */
const isListedMaterial = (sql: Queryable, { materials }: ClaimNeeds): Fragment =>
  materials === null
    ? sql`true`
    : sql`(${jobMaterial(sql)} is null or lower(${jobMaterial(sql)}) = any (${[...materials]}::text[]))`

/**
 * Returns the `from` and `where` clauses that select the jobs `j` that the printer can print. The caller adds
 * conditions for the status and the assigned printer.
 */
const fitting = (sql: Queryable, needs: ClaimNeeds): Fragment => sql`
  from print_jobs j
  left join stock_items i on i.id = j.item_id
  left join stock_spools s on s.id = j.spool_id
  left join library_versions v on v.id = j.stl_version_id
  where j.deleted_at is null and j.quantity > j.good_quantity
    and ${canPrintChosen(sql, needs)}
    and (${isOverridden(sql, needs)}
      or (${isListedMaterial(sql, needs)} and ${fitsClaimedBed(sql, needs)}))
    and ${needs.fileTypes ? hasFile(sql, needs) : isNotByHand(sql, needs)}`

/** Returns the SQL that sorts the jobs in queue order and takes the first one. */
type TakeFirst = (sql: Queryable) => Fragment
const inOrder: TakeFirst = (sql) => sql`order by ${queueOrder(sql)} limit 1`
const inOrderLocked: TakeFirst = (sql) => sql`${inOrder(sql)} for update of j skip locked`

/** Returns those of the given jobs that the loaded spools of the claim's printer can print. */
export type FilterByFilament = (jobIds: readonly string[]) => Promise<string[]>

/** The capabilities of a claim's printer, with its loaded spools. */
interface Search {
  needs: ClaimNeeds
  /** Null if no spools are recorded for the printer. */
  filter: FilterByFilament | null
}

/**
 * Returns the next job for a printer, locked until the transaction ends. Jobs that are assigned to this printer come
 * first, then waiting jobs without an assigned printer, then unassigned divided jobs that other printers are printing
 * and that still have missing pieces. A claim that names no printer may come from the agent of any printer, so it last
 * gets waiting jobs that are assigned to a printer, unless the server itself starts them. Concurrent callers get
 * different plates.
 */
export const lockNextJob = (tx: Queryable, search: Search): Promise<string | null> =>
  findNextJob(tx, search, inOrderLocked)

/** Returns whether there is a job that the printer can print. */
export const hasJobFor = async (sql: Queryable, search: Search): Promise<boolean> =>
  (await findNextJob(sql, search, inOrder)) !== null

const isAssignedTo = (sql: Queryable, printerId: string): Fragment =>
  sql`and j.assigned_printer_id = ${printerId} and (j.status = 'pending' or (${hasMissingPieces(sql)}))`

const isUnassigned = (sql: Queryable): Fragment =>
  sql`and j.status = 'pending' and j.assigned_printer_id is null`

const isUnassignedRest = (sql: Queryable): Fragment =>
  sql`and j.assigned_printer_id is null and ${hasMissingPieces(sql)}`

const isAssignedByHand = (sql: Queryable): Fragment => sql`
  and j.status = 'pending' and exists (
    select from printers p where p.id = j.assigned_printer_id and p.kind in ('manual', 'agent'))`

/** The condition for divided jobs that other printers are printing and that still have missing pieces. */
const hasMissingPieces = (sql: Queryable): Fragment => sql`
  j.status = 'in_progress' and j.pieces_per_plate is not null and not ${isGivenUp(sql)}
  and j.quantity - j.good_quantity > (
    select coalesce(sum(r.pieces), 0) from job_plates r
    where r.print_job_id = j.id and r.state in ('sending', 'printing', 'paused', 'printed'))`

async function findNextJob(tx: Queryable, search: Search, first: TakeFirst): Promise<string | null> {
  const { printerId } = search.needs
  const own = printerId === null ? null : await findAmong(tx, search, isAssignedTo(tx, printerId), first)
  return (
    own ??
    (await findAmong(tx, search, isUnassigned(tx), first)) ??
    (await findAmong(tx, search, isUnassignedRest(tx), first)) ??
    (printerId === null ? findAmong(tx, search, isAssignedByHand(tx), first) : null)
  )
}

/** Returns the first job that fulfills the condition and that the printer can print. */
function findAmong(
  tx: Queryable,
  { needs, filter }: Search,
  condition: Fragment,
  first: TakeFirst,
): Promise<string | null> {
  const jobs = tx`${fitting(tx, needs)} ${condition}`
  return filter ? findFirstWithFilament(tx, { jobs, filter }, first) : findFirst(tx, jobs, first)
}

async function findFirst(tx: Queryable, jobs: Fragment, first: TakeFirst): Promise<string | null> {
  const [job] = await tx<{ id: string }[]>`select j.id ${jobs} ${first(tx)}`
  return job?.id ?? null
}

/** Most claims find a job among the first 20. The other claims read the rest of the queue in large pages. */
const FIRST_PAGE = 20
const NEXT_PAGE = 500

const isAfter = (sql: Queryable, jobId: string): Fragment =>
  sql`and (${queueOrder(sql)}) > (select ${queueOrder(sql, 'l')} from print_jobs l where l.id = ${jobId})`

/**
 * Returns the first job for which the right filament is loaded. Only this job is locked, because other printers may
 * need the jobs that this printer cannot print.
 */
async function findFirstWithFilament(
  tx: Queryable,
  { jobs, filter }: { jobs: Fragment; filter: FilterByFilament },
  first: TakeFirst,
): Promise<string | null> {
  const list = (condition: Fragment, limit: number) =>
    tx<{ id: string }[]>`select j.id ${jobs} ${condition} order by ${queueOrder(tx)} limit ${limit}`
  let page = await list(tx``, FIRST_PAGE)
  for (let size = FIRST_PAGE; ; size = NEXT_PAGE) {
    const last = page.at(-1)
    if (!last) return null
    const printable = await filter(page.map(({ id }) => id))
    const found =
      printable.length === 0
        ? null
        : await findFirst(tx, tx`${jobs} and j.id = any (${printable}::uuid[])`, first)
    if (found !== null || page.length < size) return found
    page = await list(isAfter(tx, last.id), NEXT_PAGE)
  }
}

/** The model and the sliced file of a job that an agent claims. */
export type JobVersion = Row<'print_jobs', 'stl_version_id' | 'slice_id' | 'material'> & {
  /** Width, depth and height of the model. Null if they are unknown. */
  size_mm: number[] | null
  /** The format of the model. Null for a job without a model. */
  model_format: string | null
  /** Whether an admin assigned the job to the claim's printer although it does not fit. */
  is_overridden: boolean
}

/** Returns the version that a job prints, its material, and the sliced file that a person chose for the job. */
export const findJobVersion = (sql: Queryable, jobId: string, needs: ClaimNeeds) =>
  firstRow(sql<JobVersion[]>`
    select j.stl_version_id, j.slice_id, ${jobMaterial(sql)} as material, v.size_mm, v.format as model_format,
           ${isOverridden(sql, needs)} as is_overridden
    from print_jobs j
    left join stock_items i on i.id = j.item_id
    left join stock_spools s on s.id = j.spool_id
    left join library_versions v on v.id = j.stl_version_id
    where j.id = ${jobId}`)

/**
 * The file that an agent prints: the sliced file of its plate, otherwise the version with which the job was
 * queued.
 */
export interface JobFile {
  file_name: string
  file_size: number
  sha256: string
  object_key: string
  format: string
  slice_id: string | null
  /** Number of the plate in a sliced file. Null for a model. */
  plate: number | null
  /** Number of pieces of the plate of the job. Null without such a plate. */
  pieces: number | null
}

/** Returns the file to print. If `plateId` is null, this is the file of the version. */
export const findJobFile = (sql: Queryable, jobId: string, plateId: string | null) =>
  firstRow(sql<JobFile[]>`
    select coalesce(f.file_name, v.file_name) as file_name, coalesce(f.file_size, v.file_size) as file_size,
           coalesce(f.sha256, v.sha256) as sha256, coalesce(f.object_key, v.object_key) as object_key,
           coalesce(f.format, v.format) as format, f.id as slice_id, f.plate, r.pieces
    from print_jobs j
    join library_versions v on v.id = j.stl_version_id
    left join job_plates r on r.id = ${plateId}::uuid and r.print_job_id = j.id
    left join printable_slices f on f.id = r.slice_id
    where j.id = ${jobId}`)

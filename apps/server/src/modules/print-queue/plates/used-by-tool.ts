import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { PlateTool as ShownTool } from '@pegasus/contracts/print-queue/plates'
import {
  type PlacedTool,
  type PlateTool,
  type SpoolInSlot,
  findMainTool,
  hasFixedSlots,
  isSame,
  placeTools,
  usedTools,
} from '../matching/filament/place-tools.ts'
import { printOfFile, shareOfFile } from './plates.queries.ts'

/**
 * The filament that a printer reports, in grams or millimeters: one amount, or an array with one amount for each tool.
 */
export type ReportedUse = { grams: number | number[] } | { lengthMm: number | number[] }

/** Grams of one tool and its spool. `spoolId` is null if the spool is unknown. */
export interface ToolUse {
  spoolId: string | null
  grams: number
}

/** A length without a known spool is converted as PLA with a diameter of 1.75 mm. */
const USUAL_STRAND = { density_g_cm3: 1.24, diameter_mm: 1.75 }

interface LoadedSpool extends SpoolInSlot {
  spool_id: string
  label_code: string
}

/** The tools and spools of a plate, and the figures for an estimate. */
interface PlateSupply extends Row<'print_jobs', 'quantity' | 'match_strictness'> {
  kind: Row<'printers'>['kind'] | null
  /** The spool with which the plate was started, otherwise the spool of the job. */
  spool_id: string | null
  material: string | null
  tools: PlateTool[] | null
  /** The share of the sliced file that the plate prints, or null without a file. */
  file_share: number | null
  /** The grams of the sliced file for the pieces of the plate. */
  slice_grams: number | null
  estimated_grams: number | null
  slot_count: number
  /** The loaded spools at the start or now, see `SlotTime`. */
  loaded: LoadedSpool[]
}

/**
 * `start` means the spools that were loaded when the print started. For a slot that was empty at that time, the spool
 * that it holds now is used. `now` means the spools that are loaded now, for example after a spool has run out. For a
 * network printer, `now` also means the spools at the start, because its plate is booked when the bed is cleared, and
 * the spools of the next print may be loaded by then.
 */
type SlotTime = 'start' | 'now'

const findSupply = (sql: Queryable, plateId: string, at: SlotTime) =>
  firstRow(sql<PlateSupply[]>`
    select m.kind, coalesce(p.spool_id, j.spool_id) as spool_id, j.quantity, j.match_strictness,
           nullif(trim(coalesce(j.material, c.material, i.material_used)), '') as material,
           ${printOfFile(sql, sql`p`, sql`f`, 'tools')} as tools, ${shareOfFile(sql, sql`p`, sql`f`)}::float8 as file_share,
           (${printOfFile(sql, sql`p`, sql`f`, 'grams')} * ${shareOfFile(sql, sql`p`, sql`f`)})::float8 as slice_grams, j.estimated_grams::float8, o.slot_count, o.loaded
    from job_plates p
    join print_jobs j on j.id = p.print_job_id
    left join printers m on m.id = p.printer_id
    left join printable_slices f on f.id = p.slice_id
    left join stock_items i on i.id = j.item_id
    left join stock_spools c on c.id = j.spool_id
    cross join lateral (
      select count(*)::int as slot_count,
             coalesce(jsonb_agg(jsonb_build_object(
               'slot', t.slot, 'spool_id', s.id, 'label_code', s.label_code, 'material', s.material, 'color_hex', s.color_hex,
               'remaining_grams', s.remaining_grams) order by t.slot) filter (where s.id is not null), '[]') as loaded
      from printer_slots t
      left join stock_spools s on s.id = coalesce(
        case when ${at === 'start'} or m.kind not in ('manual', 'agent') then (p.loaded_spools ->> t.slot::text)::uuid end, t.spool_id)
      where t.printer_id = p.printer_id
    ) o
    where p.id = ${plateId}`)

const toHundredths = (grams: number): number => Math.round(grams * 100) / 100

/**
 * Converts a report to grams of each spool. With one amount for each tool, tool n uses the spool in slot n. If slot 1
 * is empty, the first tool uses the chosen spool. A single amount is split in the proportions of the sliced file.
 * Without such a file, it is taken from the chosen spool, otherwise from a loaded spool. The loaded spools are those of
 * `now`.
 */
export async function resolveUse(sql: Queryable, plateId: string, report: ReportedUse): Promise<ToolUse[]> {
  const supply = await findSupply(sql, plateId, 'now')
  return supply ? usesOf(sql, supply, report) : []
}

async function usesOf(sql: Queryable, supply: PlateSupply, report: ReportedUse): Promise<ToolUse[]> {
  const isLength = 'lengthMm' in report
  const reported = isLength ? report.lengthMm : report.grams
  const amounts = Array.isArray(reported)
    ? reported.map((amount, tool) => ({ spoolId: spoolOfTool(supply, tool), amount }))
    : sharesOf(supply).map(({ spoolId, share }) => ({ spoolId, amount: reported * share }))
  const uses: ToolUse[] = []
  for (const { spoolId, amount } of amounts)
    uses.push({ spoolId, grams: isLength ? await gramsOf(sql, spoolId, amount) : toHundredths(amount) })
  return Array.isArray(reported) || isLength ? uses : withExactSum(uses, reported)
}

/**
 * The estimated use of a plate. If somebody has already booked filament for it, these are the ledger entries instead.
 */
export interface EstimatedUse {
  tools: ToolUse[] | null
  bookedEntries: string[]
  /** Expected grams that are not booked, because no spool is known for them. */
  unsuppliedGrams: number
}

const NO_ESTIMATE: EstimatedUse = { tools: null, bookedEntries: [], unsuppliedGrams: 0 }

/**
 * Estimates the filament of a plate without a report, by spool. The grams come from the sliced file, otherwise from the
 * job's estimate, in proportion to the pieces. `share` is the printed share of the plate. The spools are those that
 * were loaded at the start of the print, or those that are loaded now if the former do not match.
 *
 * There is no estimate if the grams are unknown, if no loaded or chosen spool has the material, or if somebody has
 * booked filament since the start of the plate.
 */
export async function estimateUse(
  sql: Queryable,
  plateId: string,
  plate: { pieces: number; share?: number },
): Promise<EstimatedUse> {
  const estimate = await estimateAt(sql, plateId, { ...plate, at: 'start' })
  // The matching spool was missing at the start, and a person may have loaded it during the print.
  return estimate.unsuppliedGrams > 0 ? estimateAt(sql, plateId, { ...plate, at: 'now' }) : estimate
}

async function estimateAt(
  sql: Queryable,
  plateId: string,
  { pieces, share = 1, at }: { pieces: number; share?: number; at: SlotTime },
): Promise<EstimatedUse> {
  const supply = await findSupply(sql, plateId, at)
  if (!supply) return NO_ESTIMATE
  const { estimated_grams: estimated, quantity, loaded, material } = supply
  const grams = supply.slice_grams ?? (estimated === null ? null : (estimated * pieces) / quantity)
  if (grams === null || grams <= 0) return NO_ESTIMATE
  const uses = await usesOf(sql, supply, { grams: toHundredths(grams * share) })
  const isKnown = ({ spoolId }: ToolUse): boolean => {
    const spool = loaded.find(({ spool_id: id }) => id === spoolId)
    return (
      spoolId !== null &&
      (spoolId === supply.spool_id ||
        uses.length > 1 ||
        material === null ||
        isSame(spool?.material ?? null, material))
    )
  }
  const isSupplied = uses.some(isKnown)
  const spoolIds = isSupplied ? uses.flatMap(({ spoolId }) => spoolId ?? []) : []
  const bookedEntries = await listBookingsSinceStart(sql, plateId, spoolIds)
  const isBooked = bookedEntries.length > 0
  const unsupplied = uses.filter(({ spoolId }) => !isSupplied || spoolId === null)
  return {
    tools: isBooked || !isSupplied ? null : uses,
    bookedEntries: isSupplied ? bookedEntries : [],
    unsuppliedGrams: isBooked ? 0 : toHundredths(unsupplied.reduce((sum, use) => sum + use.grams, 0)),
  }
}

/** Returns how many grams a running plate will need for which no loaded or chosen spool is known. */
export async function findUnsuppliedGrams(
  sql: Queryable,
  { id, pieces, used_grams: reported }: { id: string; pieces: number; used_grams: number | null },
): Promise<number> {
  return reported === null ? (await estimateUse(sql, id, { pieces })).unsuppliedGrams : 0
}

/**
 * Returns the ledger entries that may already contain the filament of this plate: those that people have booked for its
 * job, and those on its spools that belong to no job, because printers can book through the Spoolman API. Entries that
 * already belong to another plate are left out.
 */
async function listBookingsSinceStart(
  sql: Queryable,
  plateId: string,
  spoolIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select u.id from job_plates p
    join spool_uses u on u.created_at >= p.started_at
      and (u.print_job_id = p.print_job_id or u.print_job_id is null and u.spool_id = any (${[...spoolIds]}))
    where p.id = ${plateId} and not exists (
      select from job_plates o
      where o.print_job_id = p.print_job_id
        and (o.booked_entries @> to_jsonb(u.id::text) or o.before_done -> 'entries' @> to_jsonb(u.id::text)))`
  return rows.map(({ id }) => id)
}

function spoolOfTool({ loaded, spool_id: chosen }: PlateSupply, tool: number): string | null {
  const inSlot = loaded.find(({ slot }) => slot === tool + 1)?.spool_id ?? null
  return tool > 0 ? inSlot : (inSlot ?? chosen)
}

/** Returns the used tools of a plate, the tool with the job's own filament, and the loaded spool for that filament. */
function mainSpoolOf(supply: PlateSupply) {
  const { loaded, material, slot_count: slotCount, spool_id: chosen } = supply
  const kind = supply.kind ?? 'manual'
  const tools = usedTools(supply.tools ?? [])
  const ofChosen = loaded.find(({ spool_id: id }) => id === chosen) ?? null
  const needed = material ?? ofChosen?.material ?? null
  const mainTool = findMainTool(tools, needed) ?? tools[0] ?? null
  const inOwnSlot =
    mainTool && hasFixedSlots(kind, slotCount)
      ? loaded.find(({ slot }) => slot === mainTool.tool + 1)
      : undefined
  // If the job names no material, the material in the sliced file is used.
  const wanted = needed ?? mainTool?.material ?? null
  const fitting = loaded.find((spool) => wanted !== null && isSame(spool.material, wanted))
  const mainSpool = ofChosen ?? inOwnSlot ?? fitting ?? loaded.find(({ slot }) => slot === 1) ?? null
  return { tools, kind, mainTool, mainSpool }
}

function toolsOnSpools(supply: PlateSupply): PlacedTool<LoadedSpool>[] {
  const { loaded, slot_count: slotCount } = supply
  const { tools, ...main } = mainSpoolOf(supply)
  return placeTools(tools, { ...main, slotCount, loaded, isAnyColor: supply.match_strictness !== 'exact' })
}

/**
 * Returns the tools of a plate, each with the slot and the spool that were loaded when the print started. Empty if the
 * printer is unknown, or if the sliced file names no tools.
 */
export async function readPlateTools(sql: Queryable, plateId: string): Promise<ShownTool[]> {
  const supply = await findSupply(sql, plateId, 'start')
  return supply && supply.slot_count > 0 ? shownTools(supply) : []
}

/**
 * Returns the tools of the sliced file of a plate, as `readPlateTools` does. Without a printer, the slots and the spools
 * are null.
 */
export async function readFileTools(sql: Queryable, plateId: string): Promise<ShownTool[]> {
  const supply = await findSupply(sql, plateId, 'start')
  return supply ? shownTools(supply) : []
}

const shownTools = (supply: PlateSupply): ShownTool[] =>
  toolsOnSpools(supply).map(({ tool, spool }) => ({
    tool: tool.tool,
    material: tool.material,
    color_hex: tool.color_hex,
    grams: tool.grams === null ? null : toHundredths(tool.grams * (supply.file_share ?? 1)),
    slot: spool?.slot ?? null,
    filament_id: spool?.spool_id ?? null,
    filament_label: spool?.label_code ?? null,
  }))

/** Returns the spools of a plate, each with its share (0 to 1) of the plate's filament. */
function sharesOf(supply: PlateSupply): { spoolId: string | null; share: number }[] {
  const { tools, mainTool, mainSpool } = mainSpoolOf(supply)
  const mainId = supply.spool_id ?? mainSpool?.spool_id ?? null
  const total = tools.reduce((sum, { grams }) => sum + (grams ?? 0), 0)
  if (tools.length < 2 || supply.slot_count < 2 || total === 0) return [{ spoolId: mainId, share: 1 }]
  return toolsOnSpools(supply).map(({ tool, spool }) => ({
    spoolId: tool === mainTool ? mainId : (spool?.spool_id ?? null),
    share: (tool.grams ?? 0) / total,
  }))
}

/** Adds the rounding difference to the first tool, so that the tools add up to the reported grams. */
function withExactSum(uses: readonly ToolUse[], grams: number): ToolUse[] {
  const rest = grams - uses.reduce((sum, use) => sum + use.grams, 0)
  return uses.map((use, index) => (index === 0 ? { ...use, grams: toHundredths(use.grams + rest) } : use))
}

async function gramsOf(sql: Queryable, spoolId: string | null, lengthMm: number): Promise<number> {
  const [strand] = await sql<{ density_g_cm3: number; diameter_mm: number }[]>`
    select density_g_cm3::float8, diameter_mm::float8 from spool_strands where id = ${spoolId}`
  return toHundredths(lengthToGrams(lengthMm, strand ?? USUAL_STRAND))
}

import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { Queryable } from '../../../platform/database/database.ts'

/** Filament that a printer reports: one amount, or an array with one amount for each tool. */
export type ReportedUse = { grams: number | number[] } | { lengthMm: number | number[] }

/** Grams of one tool and its spool. `spoolId` is null if the spool is unknown. */
export interface ToolUse {
  spoolId: string | null
  grams: number
}

/** PLA with a diameter of 1.75 mm, which is assumed for a length without a known spool. */
const USUAL_STRAND = { density_g_cm3: 1.24, diameter_mm: 1.75 }

interface ToolRow {
  slot: number
  spool_id: string | null
}

/**
 * Converts a report to grams by spool. Tool n uses the spool in slot n. A single amount belongs to the chosen
 * spool, otherwise to the spool in slot 1. The first of several tools uses the chosen spool if slot 1 is
 * empty.
 */
export async function resolveUse(sql: Queryable, plateId: string, report: ReportedUse): Promise<ToolUse[]> {
  const isLength = 'lengthMm' in report
  const reported = isLength ? report.lengthMm : report.grams
  const amounts = Array.isArray(reported) ? reported : [reported]
  const [plate] = await sql<{ printer_id: string | null; spool_id: string | null }[]>`
    select p.printer_id, coalesce(p.spool_id, j.spool_id) as spool_id
    from job_plates p join print_jobs j on j.id = p.print_job_id where p.id = ${plateId}`
  const slots = await sql<ToolRow[]>`
    select slot, spool_id from printer_slots where printer_id = ${plate?.printer_id ?? null}`
  const spoolOf = (tool: number): string | null => {
    const loaded = slots.find(({ slot }) => slot === tool + 1)?.spool_id ?? null
    if (tool > 0) return loaded
    return Array.isArray(reported) ? (loaded ?? plate?.spool_id ?? null) : (plate?.spool_id ?? loaded)
  }
  const uses: ToolUse[] = []
  for (const [tool, amount] of amounts.entries()) {
    const spoolId = spoolOf(tool)
    uses.push({ spoolId, grams: isLength ? await gramsOf(sql, spoolId, amount) : amount })
  }
  return uses
}

async function gramsOf(sql: Queryable, spoolId: string | null, lengthMm: number): Promise<number> {
  const [strand] = await sql<{ density_g_cm3: number; diameter_mm: number }[]>`
    select density_g_cm3::float8, diameter_mm::float8 from spool_strands where id = ${spoolId}`
  return Math.round(lengthToGrams(lengthMm, strand ?? USUAL_STRAND) * 100) / 100
}

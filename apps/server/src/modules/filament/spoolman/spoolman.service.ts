import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { changeSpool } from '../spools/spool-audit.ts'
import { book, holdSpool, take } from '../ledger/book-entry.ts'
import { type WordKind, listDistinctValues } from './spoolman-changes.queries.ts'
import { malformed, notFound } from './spoolman-errors.ts'
import {
  FILAMENT_SORTS,
  type FilamentRow,
  SPOOL_SORTS,
  VENDOR_SORTS,
  type Slice,
  type SpoolmanFilter,
  type SpoolmanSpoolRow,
  type VendorRow,
  findFilament,
  findSpoolRow,
  findVendor,
  listFilaments,
  listSpoolRows,
  listVendors,
} from './spoolman.queries.ts'
import { readSort } from './spoolman-lists.ts'

/** Range and order of a list. `sort` is in the format that `readSort` parses. */
interface AskedPage {
  sort?: string | undefined
  limit?: number | undefined
  offset: number
}

interface Found<T> {
  rows: T[]
  total: number
}

/**
 * Spools with integer ids, as programs made for Spoolman expect them. Lists throw INVALID_INPUT for an unknown sort
 * field.
 */
export interface Spoolman {
  vendors(filter: SpoolmanFilter, page: AskedPage): Promise<Found<VendorRow>>
  filaments(filter: SpoolmanFilter, page: AskedPage): Promise<Found<FilamentRow>>
  spools(
    filter: SpoolmanFilter & { allowArchived: boolean },
    page: AskedPage,
  ): Promise<Found<SpoolmanSpoolRow>>
  /** Throws VENDOR_NOT_FOUND. */
  vendor(number: number): Promise<VendorRow>
  /** Throws FILAMENT_NOT_FOUND. */
  filament(number: number): Promise<FilamentRow>
  /** Throws SPOOL_NOT_FOUND. */
  spool(number: number): Promise<SpoolmanSpoolRow>
  /** Returns all values of a field, each once. */
  words(kind: WordKind): Promise<string[]>
  /**
   * Books a use in grams or millimetres. A negative amount returns filament to the spool. Throws SPOOL_NOT_FOUND, or
   * MALFORMED_REQUEST unless exactly one amount is given.
   */
  use(
    number: number,
    amount: { grams: number | null; lengthMm: number | null },
    by: AuditContext,
  ): Promise<SpoolmanSpoolRow>
  /**
   * Sets the weight on the scale. Throws SPOOL_NOT_FOUND, or MALFORMED_REQUEST for less than the empty spool weighs.
   */
  measure(number: number, grossGrams: number, by: AuditContext): Promise<SpoolmanSpoolRow>
}

const sliceOf = (page: AskedPage, columns: Readonly<Record<string, string>>): Slice => ({
  order: readSort(page.sort, columns),
  limit: page.limit ?? null,
  offset: page.offset,
})

/** Reads a page with the total. A page without rows does not contain the total, so the total is counted separately. */
async function counted<T extends { total: number }>(
  list: (slice: Slice) => Promise<readonly T[]>,
  asked: Slice,
): Promise<Found<T>> {
  const rows = [...(await list(asked))]
  const isTold = rows.length > 0 || (asked.offset === 0 && asked.limit !== 0)
  const [first] = isTold ? rows : await list({ ...asked, limit: 1, offset: 0 })
  return { rows, total: first?.total ?? 0 }
}

const unwrapped = <T>({ rows, total }: Found<{ row: T }>): Found<T> => ({
  rows: rows.map(({ row }) => row),
  total,
})

/** Converts a negative amount, which returns filament, to a positive weight in grams. */
const gramsOf = ({ filament }: SpoolmanSpoolRow, amount: { grams: number } | { lengthMm: number }): number =>
  'grams' in amount
    ? -amount.grams
    : lengthToGrams(-amount.lengthMm, { density_g_cm3: filament.density, diameter_mm: filament.diameter })

export function createSpoolman({ database }: { database: Database }): Spoolman {
  const { sql } = database

  const get = async (tx: typeof sql | TransactionSql, number: number): Promise<SpoolmanSpoolRow> => {
    const row = await findSpoolRow(tx, { number })
    if (!row) throw notFound('SPOOL_NOT_FOUND', 'spool', number)
    return row
  }

  const giveBack = async (tx: TransactionSql, row: SpoolmanSpoolRow, grams: number, by: AuditContext) => {
    const { id, weight_grams: full, remaining_grams: left } = await holdSpool(tx, row.spool_id)
    const delta = Math.min(grams, Math.max(0, full - left))
    await book(tx, { spool_id: id, kind: 'correct', delta_grams: delta, reason: 'Given back' }, by)
    await publish(tx, { type: 'updated', entity: 'filament', id })
  }

  /**
   * Sets the capacity of a spool that weighs more than it can hold. The ledger does not contain this change, so the
   * audit records it.
   */
  const setFull = (tx: TransactionSql, id: string, grams: number, by: AuditContext) =>
    changeSpool(tx, id, { weight_grams: grams }, by)

  return {
    vendors: async (filter, page) =>
      unwrapped(await counted((slice) => listVendors(sql, filter, slice), sliceOf(page, VENDOR_SORTS))),
    filaments: async (filter, page) =>
      unwrapped(await counted((slice) => listFilaments(sql, filter, slice), sliceOf(page, FILAMENT_SORTS))),
    spools: (filter, page) =>
      counted((slice) => listSpoolRows(sql, filter, slice), sliceOf(page, SPOOL_SORTS)),

    async vendor(number) {
      const row = await findVendor(sql, number)
      if (!row) throw notFound('VENDOR_NOT_FOUND', 'vendor', number)
      return row
    },

    async filament(number) {
      const row = await findFilament(sql, number)
      if (!row) throw notFound('FILAMENT_NOT_FOUND', 'filament', number)
      return row
    },

    spool: (number) => get(sql, number),

    words: (kind) => listDistinctValues(sql, kind),

    async use(number, { grams, lengthMm }, by) {
      if (grams !== null && lengthMm !== null)
        throw malformed('Only specify either use_weight or use_length.')
      if (grams === null && lengthMm === null)
        throw malformed('Either use_weight or use_length must be specified.')
      return database.transaction(async (tx) => {
        const row = await get(tx, number)
        const amount = grams === null ? { lengthMm: lengthMm ?? 0 } : { grams }
        const given = grams ?? lengthMm ?? 0
        if (given >= 0) await take(tx, { spoolId: row.spool_id, amount, isRunning: true }, by)
        else await giveBack(tx, row, gramsOf(row, amount), by)
        return get(tx, number)
      })
    },

    measure: (number, grossGrams, by) =>
      database.transaction(async (tx) => {
        const spool = await holdSpool(tx, (await get(tx, number)).spool_id)
        const tare = spool.tare_grams ?? 0
        if (grossGrams < tare) throw malformed(`The empty spool alone weighs ${tare} g.`)
        const net = grossGrams - tare
        if (net > spool.weight_grams) await setFull(tx, spool.id, net, by)
        const delta = Math.round((net - spool.remaining_grams) * 1e6) / 1e6
        const entry = { spool_id: spool.id, delta_grams: delta, gross_grams: grossGrams }
        await book(tx, { ...entry, kind: 'weigh' }, by)
        await publish(tx, { type: 'updated', entity: 'filament', id: spool.id })
        return get(tx, number)
      }),
  }
}

import { lengthToGrams } from '@pegasus/contracts/filament'
import type { Deed } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { book, holdSpool, take } from '../booking.ts'
import { updateSpoolRow } from '../spools.queries.ts'
import { type WordKind, listWords } from './keeping.queries.ts'
import { malformed, notFound } from './refusals.ts'
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
import { readSort } from './terms.ts'

/** Which rows of a list are asked for, in which order: `sort` as `readSort` reads it. */
interface AskedPage {
  sort?: string | undefined
  limit?: number | undefined
  offset: number
}

interface Found<T> {
  rows: T[]
  total: number
}

/** Spools as programs know them that were made for Spoolman: by whole numbers. Lists throw INVALID_INPUT for a sort that they don't have. */
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
  /** All that is said under a word, each once. */
  words(kind: WordKind): Promise<string[]>
  /** Grams or millimetres; less than nothing gives back. Throws SPOOL_NOT_FOUND, or MALFORMED_REQUEST unless there is one. */
  use(
    number: number,
    amount: { grams: number | null; lengthMm: number | null },
    by: Deed,
  ): Promise<SpoolmanSpoolRow>
  /** What the scale says. Throws SPOOL_NOT_FOUND, or MALFORMED_REQUEST for less than the empty spool weighs. */
  measure(number: number, grossGrams: number, by: Deed): Promise<SpoolmanSpoolRow>
}

const sliceOf = (page: AskedPage, columns: Readonly<Record<string, string>>): Slice => ({
  order: readSort(page.sort, columns),
  limit: page.limit ?? null,
  offset: page.offset,
})

const counted = <T>(rows: readonly { row: T; total: number }[]): Found<T> => ({
  rows: rows.map(({ row }) => row),
  total: rows[0]?.total ?? 0,
})

/** What is given back, as a weight of 0 or more. */
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

  const giveBack = async (tx: TransactionSql, row: SpoolmanSpoolRow, grams: number, by: Deed) => {
    const { id, weight_grams: full, remaining_grams: left } = await holdSpool(tx, row.spool_id)
    const delta = Math.min(grams, Math.max(0, full - left))
    await book(tx, { spool_id: id, kind: 'correct', delta_grams: delta, reason: 'Given back' }, by)
    await publish(tx, { type: 'updated', entity: 'filament', id })
  }

  return {
    vendors: async (filter, page) => counted(await listVendors(sql, filter, sliceOf(page, VENDOR_SORTS))),
    filaments: async (filter, page) =>
      counted(await listFilaments(sql, filter, sliceOf(page, FILAMENT_SORTS))),
    async spools(filter, page) {
      const rows = await listSpoolRows(sql, filter, sliceOf(page, SPOOL_SORTS))
      return { rows, total: rows[0]?.total ?? 0 }
    },

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

    words: (kind) => listWords(sql, kind),

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
        if (net > spool.weight_grams) await updateSpoolRow(tx, spool.id, { weight_grams: net }, by.now)
        const delta = Math.round((net - spool.remaining_grams) * 1e6) / 1e6
        const entry = { spool_id: spool.id, delta_grams: delta, gross_grams: grossGrams }
        await book(tx, { ...entry, kind: 'weigh' }, by)
        await publish(tx, { type: 'updated', entity: 'filament', id: spool.id })
        return get(tx, number)
      }),
  }
}

import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { ExtraEntity } from '@pegasus/contracts/filament/spoolman-fields'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { changeSpool } from '../spools/spool-audit.ts'
import { book, lockSpoolOrThrow, take } from '../ledger/book-entry.ts'
import { type WordKind, listDistinctValues } from './spoolman-changes.queries.ts'
import {
  type ExtraFilter,
  extraSortColumn,
  extraTextColumn,
  readExtraFilters,
} from './extra-fields/extra-filters.ts'
import { listAllExtraFields, listExtraFields } from './extra-fields/extra-fields.queries.ts'
import { isGroupable } from './extra-fields/extra-values.ts'
import { colorDistance } from './search/colors.ts'
import { malformed, notFound } from './spoolman-errors.ts'
import {
  FILAMENT_SORTS,
  GROUPS,
  GROUP_SORTS,
  type FilamentRow,
  type GroupRow,
  SPOOL_SORTS,
  VENDOR_SORTS,
  type Slice,
  type SpoolmanFilter,
  type SpoolmanSpoolRow,
  type VendorRow,
  findFilament,
  findSpoolRow,
  findVendor,
  listFilamentColors,
  listFilaments,
  listSpoolGroups,
  listSpoolRows,
  listVendors,
  noteSpoolUse,
} from './spoolman.queries.ts'
import { EXTRA, readSort } from './spoolman-lists.ts'

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
  /**
   * Returns spools in groups. `groupBy` is a key of `GROUPS`, or `extra.` with the key of a text field or a
   * single-choice field. Throws MALFORMED_REQUEST for other words.
   */
  groups(
    filter: SpoolmanFilter & { allowArchived: boolean },
    page: AskedPage & { groupBy: string },
  ): Promise<Found<GroupRow>>
  /** Parses the filters by extra fields in the query of a list of such objects. */
  extraFilters(query: Readonly<Record<string, unknown>>, own: ExtraEntity): Promise<ExtraFilter[]>
  /** Returns the numbers of the filaments whose color is similar to this one, most similar first. */
  filamentsLike(color: string, threshold: number): Promise<number[]>
  /** Returns a vendor. Throws VENDOR_NOT_FOUND. */
  vendor(number: number): Promise<VendorRow>
  /** Returns a filament. Throws FILAMENT_NOT_FOUND. */
  filament(number: number): Promise<FilamentRow>
  /** Returns a spool. Throws SPOOL_NOT_FOUND. */
  spool(number: number): Promise<SpoolmanSpoolRow>
  /** Returns the distinct values of a field. */
  words(kind: WordKind): Promise<string[]>
  /**
   * Books a use in grams or millimeters. A negative amount returns filament to the spool. Throws SPOOL_NOT_FOUND, or
   * MALFORMED_REQUEST unless exactly one amount is given.
   */
  use(
    number: number,
    amount: { grams: number | null; lengthMm: number | null },
    by: AuditContext,
  ): Promise<SpoolmanSpoolRow>
  /**
   * Books a weighing: sets the remaining weight from the weight on the scale. Throws SPOOL_NOT_FOUND, or
   * MALFORMED_REQUEST if the weight is less than that of the empty spool.
   */
  measure(number: number, grossGrams: number, by: AuditContext): Promise<SpoolmanSpoolRow>
}

const sliceOf = (
  page: AskedPage,
  columns: Readonly<Record<string, string>>,
  extras?: ReadonlyMap<string, string>,
): Slice => ({
  order: readSort(page.sort, columns, extras),
  limit: page.limit ?? null,
  offset: page.offset,
})

/** Reads a page with the total. The total comes with the rows, so for a page without rows, a second query reads it. */
async function counted<T extends { total: number }>(
  list: (slice: Slice) => Promise<readonly T[]>,
  asked: Slice,
): Promise<Found<T>> {
  const rows = [...(await list(asked))]
  const hasTotal = rows.length > 0 || (asked.offset === 0 && asked.limit !== 0)
  const [first] = hasTotal ? rows : await list({ ...asked, limit: 1, offset: 0 })
  return { rows, total: first?.total ?? 0 }
}

const unwrapped = <T>({ rows, total }: Found<{ row: T }>): Found<T> => ({
  rows: rows.map(({ row }) => row),
  total,
})

/** Converts a negative amount (filament returned to the spool) to a positive weight in grams. */
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
    const { id, weight_grams: full, remaining_grams: left } = await lockSpoolOrThrow(tx, row.spool_id)
    const delta = Math.min(grams, Math.max(0, full - left))
    await book(tx, { spool_id: id, kind: 'correct', delta_grams: delta, reason: 'Given back' }, by)
    await publish(tx, { type: 'updated', entity: 'filament', id })
  }

  /**
   * Raises the weight of a full spool, because the spool weighs more than it can hold. Writes an audit entry, because
   * the ledger does not show this change.
   */
  const setFull = (tx: TransactionSql, id: string, grams: number, by: AuditContext) =>
    changeSpool(tx, id, { weight_grams: grams }, by)

  /** Returns SQL for the extra fields by which a list is sorted, by the key of the field. */
  const extraSorts = async (page: AskedPage, entity: ExtraEntity): Promise<ReadonlyMap<string, string>> =>
    page.sort?.includes(EXTRA)
      ? new Map((await listExtraFields(sql, entity)).map((field) => [field.key, extraSortColumn(field)]))
      : new Map()

  const groupOf = async (groupBy: string): Promise<{ key: string; title: string }> => {
    const group = Object.hasOwn(GROUPS, groupBy) ? GROUPS[groupBy] : undefined
    if (group) return group
    const key = groupBy.startsWith(EXTRA) ? groupBy.slice(EXTRA.length) : null
    const field = (await listExtraFields(sql, 'spool')).find((each) => each.key === key)
    if (!field || !isGroupable(field)) throw malformed(`Spools cannot be grouped by '${groupBy}'.`)
    const column = extraTextColumn(field)
    return { key: column, title: column }
  }

  return {
    async vendors(filter, page) {
      const slice = sliceOf(page, VENDOR_SORTS, await extraSorts(page, 'vendor'))
      return unwrapped(await counted((asked) => listVendors(sql, filter, asked), slice))
    },

    async filaments(filter, page) {
      const slice = sliceOf(page, FILAMENT_SORTS, await extraSorts(page, 'filament'))
      return unwrapped(await counted((asked) => listFilaments(sql, filter, asked), slice))
    },

    async spools(filter, page) {
      const slice = sliceOf(page, SPOOL_SORTS, await extraSorts(page, 'spool'))
      return counted((asked) => listSpoolRows(sql, filter, asked), slice)
    },

    async groups(filter, page) {
      const by = await groupOf(page.groupBy)
      const asked = sliceOf({ ...page, sort: page.sort ?? 'group.title:asc' }, GROUP_SORTS)
      return counted((slice) => listSpoolGroups(sql, filter, by, slice), asked)
    },

    async extraFilters(query, own) {
      const isAsked = Object.keys(query).some((name) => name.includes(EXTRA))
      return isAsked ? readExtraFilters(query, own, await listAllExtraFields(sql)) : []
    },

    async filamentsLike(color, threshold) {
      const distances = (await listFilamentColors(sql)).map(({ number, colors }) => ({
        number,
        distance: Math.min(...colors.map((each) => colorDistance(color, each))),
      }))
      return distances
        .filter(({ distance }) => distance <= threshold)
        .toSorted((a, b) => a.distance - b.distance || a.number - b.number)
        .map(({ number }) => number)
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
        await noteSpoolUse(tx, row.spool_id, by.now)
        return get(tx, number)
      })
    },

    measure: (number, grossGrams, by) =>
      database.transaction(async (tx) => {
        const spool = await lockSpoolOrThrow(tx, (await get(tx, number)).spool_id)
        const tare = spool.tare_grams ?? 0
        if (grossGrams < tare) throw malformed(`The empty spool alone weighs ${tare} g.`)
        const net = grossGrams - tare
        if (net > spool.weight_grams) await setFull(tx, spool.id, net, by)
        const delta = Math.round((net - spool.remaining_grams) * 1e6) / 1e6
        const entry = { spool_id: spool.id, delta_grams: delta, gross_grams: grossGrams }
        await book(tx, { ...entry, kind: 'weigh' }, by)
        await noteSpoolUse(tx, spool.id, by.now)
        await publish(tx, { type: 'updated', entity: 'filament', id: spool.id })
        return get(tx, number)
      }),
  }
}

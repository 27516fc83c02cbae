import type { ExtraEntity } from '@pegasus/contracts/filament/spoolman-fields'
import type { Database } from '../../../../platform/database/database.ts'
import { UNKNOWN_MATERIAL, UNNAMED_VENDOR } from '../placeholder-names.ts'
import { type ExtraFieldRow, listAllExtraFields } from '../extra-fields/extra-fields.queries.ts'
import type { ExtraValues } from '../extra-fields/extra-values.ts'
import {
  type FilamentRow,
  type SpoolmanSpoolRow,
  type VendorRow,
  findSpoolRow,
  listFilaments,
} from '../spoolman.queries.ts'
import type { Spoolman } from '../spoolman.service.ts'
import { type Match, RANKS, type SearchedField, classifyMatch } from './classify-match.ts'
import { readColor } from './colors.ts'
import {
  type FilamentSpoolRow,
  findFilamentCandidates,
  findSpoolCandidates,
  findVendorCandidates,
  listSpoolsOfFilaments,
} from './search.queries.ts'

export interface SpoolmanSearchQuery {
  text: string
  /** Colors are similar if they differ by at most this value of `colorDistance`. */
  threshold: number
  limit: number
  allowArchived: boolean
  spoolsPerFilament: number
}

interface Found<T> {
  row: T
  field: string
}

export interface SpoolmanHits {
  spools: Found<SpoolmanSpoolRow>[]
  /** `spools` contains all spools of the filament, or is null if the query did not ask for them. */
  filaments: (Found<FilamentRow> & { spools: FilamentSpoolRow[] | null })[]
  vendors: Found<VendorRow>[]
  isColor: boolean
}

export type SearchSpoolman = (query: SpoolmanSearchQuery) => Promise<SpoolmanHits>

/** Maximum number of words in a search, because the database compares each word with all rows. */
const MAX_WORDS = 8

const wordsOf = (text: string): string[] =>
  [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== '').slice(0, MAX_WORDS)

const own = (fields: Readonly<Record<string, string | null>>): SearchedField[] =>
  Object.entries(fields).map(([name, text]) => ({ name, text, rank: RANKS.own }))

/** Returns the text fields and choice fields among the extra fields of an object, with their values as text. */
const extrasOf = (
  fields: readonly ExtraFieldRow[],
  entity: ExtraEntity,
  values: ExtraValues,
): SearchedField[] =>
  fields
    .filter((field) => field.entity === entity && ['text', 'choice'].includes(field.field_type))
    .map(({ key }) => ({ name: `extra.${key}`, text: textOf(values[key]), rank: RANKS.extra }))

const textOf = (json: string | undefined): string | null => {
  if (json === undefined) return null
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** Returns the matching objects, best match first. Among equal matches, the oldest comes first. */
function ranked<T extends { id: number }>(rows: readonly T[], matchOf: (row: T) => Match | null): Found<T>[] {
  return rows
    .flatMap((row) => {
      const match = matchOf(row)
      return match === null ? [] : [{ row, ...match }]
    })
    .toSorted((a, b) => a.rank - b.rank || a.row.id - b.row.id)
    .map(({ row, field }) => ({ row, field }))
}

export function createSpoolmanSearch(deps: {
  database: Database
  spoolman: Pick<Spoolman, 'filamentsLike'>
}): SearchSpoolman {
  const { sql } = deps.database

  const findSpools = async (
    { text, limit, allowArchived }: SpoolmanSearchQuery,
    fields: readonly ExtraFieldRow[],
  ): Promise<Found<SpoolmanSpoolRow>[]> => {
    const words = wordsOf(text)
    const found = ranked(await findSpoolCandidates(sql, words, allowArchived), (row) =>
      classifyMatch(words, [
        ...own({ comment: row.comment, location: row.location, lot_nr: row.lot_nr }),
        ...extrasOf(fields, 'spool', row.extra),
      ]),
    )
    const number = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : null
    const exact = number === null ? null : await findSpoolRow(sql, { number })
    if (!exact || (exact.archived && !allowArchived)) return found.slice(0, limit)
    return [{ row: exact, field: 'id' }, ...found.filter(({ row }) => row.id !== number)].slice(0, limit)
  }

  const findLike = async (color: string | null, { threshold, limit }: SpoolmanSearchQuery) => {
    if (color === null) return []
    const numbers = (await deps.spoolman.filamentsLike(color, threshold)).slice(0, limit)
    if (numbers.length === 0) return []
    const filter = { texts: {}, numbers: { 'filament.id': numbers.join(',') } }
    const rows = await listFilaments(sql, filter, { order: [], limit: null, offset: 0 })
    return rows
      .map(({ row }) => ({ row, field: 'color' }))
      .toSorted((a, b) => numbers.indexOf(a.row.id) - numbers.indexOf(b.row.id))
  }

  const findFilaments = async (
    query: SpoolmanSearchQuery,
    fields: readonly ExtraFieldRow[],
    color: string | null,
  ) => {
    const words = wordsOf(query.text)
    const like = await findLike(color, query)
    const found = ranked(await findFilamentCandidates(sql, words), (row) => {
      const { vendor } = row
      return classifyMatch(words, [
        ...own({
          name: [row.name, row.color].join(' '),
          material: row.material === UNKNOWN_MATERIAL ? null : row.material,
          article_number: row.article_number,
          comment: row.comment,
        }),
        {
          name: 'vendor.name',
          text: vendor?.name === UNNAMED_VENDOR ? null : vendor?.name,
          rank: RANKS.vendor,
        },
        ...extrasOf(fields, 'filament', row.extra),
      ])
    })
    const isLike = new Set(like.map(({ row }) => row.id))
    const all = [...like, ...found.filter(({ row }) => !isLike.has(row.id))].slice(0, query.limit)
    if (query.spoolsPerFilament === 0) return all.map((each) => ({ ...each, spools: null }))
    const ids = all.map(({ row }) => row.id)
    const spools = await listSpoolsOfFilaments(sql, ids, query.allowArchived)
    return all.map((each) => ({
      ...each,
      spools: spools.filter((spool) => spool.filament_id === each.row.id),
    }))
  }

  const findVendors = async (
    { text, limit }: SpoolmanSearchQuery,
    fields: readonly ExtraFieldRow[],
  ): Promise<Found<VendorRow>[]> => {
    const words = wordsOf(text)
    return ranked(await findVendorCandidates(sql, words), (row) =>
      classifyMatch(words, [
        ...own({ name: row.name === UNNAMED_VENDOR ? null : row.name, comment: row.comment }),
        ...extrasOf(fields, 'vendor', row.extra),
      ]),
    ).slice(0, limit)
  }

  return async (query) => {
    if (wordsOf(query.text).length === 0) return { spools: [], filaments: [], vendors: [], isColor: false }
    const color = readColor(query.text)
    const fields = await listAllExtraFields(sql)
    const [spools, filaments, vendors] = await Promise.all([
      findSpools(query, fields),
      findFilaments(query, fields, color),
      findVendors(query, fields),
    ])
    return { spools, filaments, vendors, isColor: color !== null }
  }
}

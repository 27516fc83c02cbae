import {
  LICENSE_TYPES,
  type LicenseType,
  allowsSale,
  forbidsSale,
} from '@pegasus/contracts/stl-library/licenses'
import type { ModelFormat, SaleVerdict } from '@pegasus/contracts/stl-library/models'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import type { SearchTerm } from './search-terms.queries.ts'
import { saysTerm } from './term-conditions.ts'

/** Filters of a list of models. A model must match all of them. */
export interface ModelFilter {
  terms: readonly SearchTerm[]
  tags: readonly string[]
  licenseType?: LicenseType | undefined
  sale?: SaleVerdict | undefined
  material?: string | undefined
  format?: ModelFormat | undefined
  /** Width, depth and height of a print bed in millimeters. */
  bedMm?: readonly [number, number, number] | undefined
  isWatertight?: boolean | undefined
  isProduct?: boolean | undefined
  /** The username of the uploader. */
  uploadedBy?: string | undefined
  /** Days in UTC, such as `2026-11-21`. Both are included. */
  createdFrom?: string | undefined
  createdTo?: string | undefined
  /** Lists the trash instead of the library. */
  isTrash?: boolean
}

const SELLABLE = LICENSE_TYPES.filter(allowsSale)
const UNSELLABLE = LICENSE_TYPES.filter(forbidsSale)
/** Licenses that leave open whether prints may be sold. For these, the value that a person entered decides. */
const OPEN = LICENSE_TYPES.filter((license) => !allowsSale(license) && !forbidsSale(license))

/** Returns the SQL condition that a model has this verdict. It is the same rule as `judgeSale`. */
function hasVerdict(sql: Queryable, verdict: SaleVerdict): Fragment {
  if (verdict === 'unknown') return sql`f.license_type = any(${OPEN}::text[]) and f.sale_allowed is null`
  const [settled, said] = verdict === 'allowed' ? [SELLABLE, true] : [UNSELLABLE, false]
  return sql`(f.license_type = any(${settled}::text[])
              or f.license_type = any(${OPEN}::text[]) and f.sale_allowed = ${said})`
}

/**
 * Returns the SQL condition that a model fits on a bed, unchanged or rotated by 90 degrees. A model that is
 * not measured never fits.
 */
function fitsOn(sql: Queryable, [width, depth, height]: readonly [number, number, number]): Fragment {
  return sql`f.bed_short_mm <= ${Math.min(width, depth)}::float8
             and f.bed_long_mm <= ${Math.max(width, depth)}::float8 and f.height_mm <= ${height}::float8`
}

/** Returns the SQL condition that a model is live, or deleted if `isTrash` is true. */
export const inScope = (sql: Queryable, { isTrash = false }: Pick<ModelFilter, 'isTrash'>): Fragment =>
  isTrash ? sql`f.deleted_at is not null` : sql`f.deleted_at is null`

/** Returns the SQL conditions of all filters on a model `f`, except the search words. */
export function fitting(sql: Queryable, filter: ModelFilter): Fragment {
  const { tags, licenseType, sale, material, format, bedMm, uploadedBy, createdFrom, createdTo } = filter
  const isAsked = (name: 'isWatertight' | 'isProduct') => filter[name] !== undefined
  const conditions = [
    inScope(sql, filter),
    ...(tags.length > 0 ? [sql`f.tags @> ${[...tags]}::text[]`] : []),
    ...(licenseType ? [sql`f.license_type = ${licenseType}`] : []),
    ...(sale ? [hasVerdict(sql, sale)] : []),
    ...(material ? [sql`lower(f.print_material) = ${material.trim().toLowerCase()}`] : []),
    ...(format ? [sql`f.format = ${format}`] : []),
    ...(bedMm ? [fitsOn(sql, bedMm)] : []),
    ...(isAsked('isWatertight') ? [sql`f.is_watertight = ${filter.isWatertight!}`] : []),
    ...(isAsked('isProduct') ? [sql`f.is_product = ${filter.isProduct!}`] : []),
    ...(uploadedBy
      ? [sql`f.uploaded_by = (select id from people where lower(username) = lower(${uploadedBy}) limit 1)`]
      : []),
    ...(createdFrom ? [sql`f.created_at >= ${createdFrom}::date`] : []),
    ...(createdTo ? [sql`f.created_at < ${createdTo}::date + 1`] : []),
  ]
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`)
}

/** Returns the SQL conditions of all filters on a model `f`, including the search words. */
export const matching = (sql: Queryable, filter: ModelFilter): Fragment =>
  filter.terms.reduce((all, term) => sql`${all} and ${saysTerm(sql, term)}`, fitting(sql, filter))

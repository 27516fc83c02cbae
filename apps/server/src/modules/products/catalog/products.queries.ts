import type { ComparedField, SiteCheckOutcome } from '@pegasus/contracts/products/sync-check'
import type { ProductStatus } from '@pegasus/contracts/statuses'
import type { Insert, Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type SearchWord, matchesWords } from '../../../platform/search/search-words.queries.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'
import { countUpToCap, hasRows, newestFirst } from '../../../platform/database/list-queries.ts'
import type { PageRequest } from '../../../platform/http/paging.ts'
import { type OfferRow, offerOfProduct } from '../stock-sync/offer.queries.ts'

export interface BulkTier {
  quantity: number
  price_minor: number
}

/** A person's decision to sell a product that the license gate blocks, with the reason and the gate's findings. */
export interface LicenseOverride {
  reason: string
  by: string
  at: string
  /** The findings that are overridden. A new finding closes the gate again. */
  overruled: string[]
}

/**
 * Values of the fields that the sync check compares with the main site, as the database stores them. Unknown fields are
 * missing.
 */
export type ComparedValues = Partial<
  Row<'products', 'name' | 'price_minor' | 'stock' | 'images' | 'poster_url'>
>

/** A difference: a value on the main site that equals neither our current value nor the value that was sent last. */
export interface StoredDifference {
  field: ComparedField
  /** The value, as the database stores it. */
  theirs: ComparedValues[keyof ComparedValues]
  /**
   * The stock that was offered to the site. Only for the stock of a product with an item; for all other fields, our
   * value is in the product.
   */
  ours?: number
  /** The time at which the comparison first saw this value. */
  since: string
}

/** A product with its linked models. Money is in minor units. */
export interface ProductRow
  extends Row<
    'products',
    | 'id'
    | 'name'
    | 'slug'
    | 'category'
    | 'price_minor'
    | 'stock'
    | 'description'
    | 'tags'
    | 'images'
    | 'videos'
    | 'poster_url'
    | 'license'
    | 'designer'
    | 'designer_url'
    | 'status'
    | 'failure_reason'
    | 'site_url'
    | 'published_at'
    | 'published_revision'
    | 'item_id'
    | 'revision'
    | 'created_at'
    | 'updated_at'
    | 'deleted_at'
  > {
  bulk_tiers: BulkTier[] | null
  stl_file_ids: string[]
  /** The first linked model that has a picture, otherwise the model of the product's item. */
  pictured_model_id: string | null
  license_override: LicenseOverride | null
  /**
   * The result of the last comparison with the main site. It is null, like the other `check_` fields, if there was
   * none.
   */
  check_outcome: SiteCheckOutcome | null
  check_known_at: string | null
  check_problem: string | null
  check_differences: StoredDifference[] | null
  /** The values that the site reported last. */
  check_reported: ComparedValues | null
  checked_at: string | null
  /**
   * The stock of the product's item that is offered to the shop. Null without an item, or while the item is in the
   * trash.
   */
  offer: OfferRow | null
}

export interface ProductFilter {
  words: readonly SearchWord[]
  status?: ProductStatus | undefined
  /** If true, lists only products that have a difference, or that are missing on the main site. */
  differs?: boolean
  /** If true, lists the trash instead of the catalog. */
  isDeleted?: boolean
}

export const selectProduct = (sql: Queryable) => sql`
  select p.id, p.name, p.slug, p.category, p.price_minor, p.stock, p.description, p.tags, p.images, p.videos,
         p.poster_url, p.bulk_tiers, p.license, p.designer, p.designer_url, p.status, p.failure_reason, p.site_url,
         p.published_at, p.published_revision, p.item_id, p.license_override, p.revision, p.created_at, p.updated_at,
         p.deleted_at, c.outcome as check_outcome, c.known_at as check_known_at, c.problem as check_problem,
         c.differences as check_differences, c.told as check_reported, c.checked_at,
         ${offerOfProduct(sql)} as offer,
         array(select stl_file_id from product_models l where l.product_id = p.id order by l.position) as stl_file_ids,
         coalesce(
           (select m.id from product_models l join library_models m on m.id = l.stl_file_id and m.has_picture
            where l.product_id = p.id order by l.position limit 1),
           (select m.id from stock_items i join library_models m on m.id = i.stl_file_id and m.has_picture
            where i.id = p.item_id)) as pictured_model_id
  from products p
  left join site_checks c on c.product_id = p.id`

const matching = (sql: Queryable, filter: ProductFilter) => sql`
  ${filter.isDeleted ? sql`p.deleted_at is not null` : sql`p.deleted_at is null`}
  ${matchesWords(sql, filter.words, (pattern) => sql`p.search_text like ${pattern}`)}
  ${filter.status ? sql`and p.status = ${filter.status}` : sql``}
  ${filter.differs ? sql`and p.id in (select product_id from site_checks where outcome in ('differs', 'missing'))` : sql``}`

export const listProducts = (
  sql: Queryable,
  filter: ProductFilter,
  page: PageRequest,
): Promise<ProductRow[]> =>
  sql<ProductRow[]>`
    ${selectProduct(sql)}
    where ${matching(sql, filter)}
      ${newestFirst(sql, page, sql`p.created_at`, sql`p.id`)}`

export const countProducts = (sql: Queryable, filter: ProductFilter): Promise<number> =>
  countUpToCap(sql, sql`select 1 from products p where ${matching(sql, filter)}`)

/** Returns whether any product matches the filter. */
export const hasProducts = (sql: Queryable, filter: ProductFilter): Promise<boolean> =>
  hasRows(sql, sql`select 1 from products p where ${matching(sql, filter)}`)

export const findProduct = (sql: Queryable, id: string) =>
  firstRow(sql<ProductRow[]>`${selectProduct(sql)} where p.id = ${id} and p.deleted_at is null`)

/** Counts the published products, for the dashboard. */
export async function countPublished(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from products where deleted_at is null and status = 'published'`
  return row.total
}

export async function insertProduct(
  tx: Queryable,
  product: Insert<'products'>,
  links: { bulkTiers: readonly BulkTier[] | null; stlFileIds: readonly string[] },
): Promise<void> {
  const { bulkTiers, stlFileIds } = links
  await insertInto(tx, 'products', { ...product, bulk_tiers: bulkTiers })
  if (stlFileIds.length === 0) return
  // Insert in a fixed sequence, so that two products with the same models cannot deadlock.
  const models = stlFileIds
    .map((stlFileId, position) => ({ product_id: product.id, stl_file_id: stlFileId, position }))
    .sort((a, b) => (a.stl_file_id < b.stl_file_id ? -1 : 1))
  await insertInto(tx, 'product_models', models)
}

/** Finds the items of the products with these slugs, ignoring case. The keys of the result are the slugs as given. */
export async function findItemIdsBySlug(
  sql: Queryable,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ slug: string; item_id: string }[]>`
    select p.slug, i.id as item_id from products p join stock_items i on i.id = p.item_id and i.deleted_at is null
    where p.slug = any (${slugs.map((slug) => slug.toLowerCase())}::text[]) and p.deleted_at is null`
  const known = new Map(rows.map(({ slug, item_id: itemId }) => [slug, itemId]))
  return new Map(
    slugs.flatMap((slug) => {
      const itemId = known.get(slug.toLowerCase())
      return itemId === undefined ? [] : [[slug, itemId] as const]
    }),
  )
}

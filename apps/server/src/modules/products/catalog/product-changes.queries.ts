import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { insertInto, updateTable } from '../../../platform/database/write-rows.ts'
import type { ProductContent } from './product-content.ts'
import { type LicenseOverride, type ProductRow, selectProduct } from './products.queries.ts'

/**
 * Locks a slug until the transaction ends, so that no other transaction can give the slug to another product.
 */
export async function lockSlug(tx: Queryable, slug: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`product-slug:${slug}`}, 0))`
}

/**
 * Locks a product, live or in the trash, until the transaction ends, and returns it. A second statement reads the
 * product: a statement that had to wait for the lock can return outdated rows of joined tables.
 */
export async function lockProduct(tx: Queryable, id: string): Promise<ProductRow | null> {
  await tx`select 1 from products where id = ${id} for update`
  return firstRow(tx<ProductRow[]>`${selectProduct(tx)} where p.id = ${id}`)
}

export async function lockProductBySlug(tx: Queryable, slug: string): Promise<ProductRow | null> {
  const [found] = await tx<{ id: string }[]>`
    select id from products where slug = ${slug} and deleted_at is null for update`
  return found ? lockProduct(tx, found.id) : null
}

/** Returns whether a publication of the product is in progress. */
export async function isUnderWay(sql: Queryable, productId: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from publications where product_id = ${productId} and status in ('pending', 'sending')) as found`
  return row.found
}

/** Writes the content of a product. `isVisible` is true if the change affects content that is sent to the main site. */
export async function updateContent(
  tx: Queryable,
  id: string,
  change: { content: ProductContent; itemId: string | null; isVisible: boolean; now: Date },
): Promise<void> {
  const { content, itemId, isVisible, now } = change
  await tx`
    ${updateTable(tx, 'products', { ...content, item_id: itemId, updated_at: now })}, revision = revision + 1,
        published_revision = case when ${isVisible} or published_revision <> revision then published_revision
                                  else published_revision + 1 end
    where id = ${id}`
}

/** Links a product to these models, and to no others. */
export async function replaceModels(
  tx: Queryable,
  productId: string,
  stlFileIds: readonly string[],
): Promise<void> {
  await tx`
    delete from product_models
    where product_id = ${productId} and stl_file_id <> all(${[...stlFileIds]}::uuid[])`
  if (stlFileIds.length === 0) return
  // Insert in a fixed sequence, so that two products with the same models cannot deadlock.
  const rows = stlFileIds
    .map((stlFileId, position) => ({ product_id: productId, stl_file_id: stlFileId, position }))
    .sort((a, b) => (a.stl_file_id < b.stl_file_id ? -1 : 1))
  await tx`
    ${insertInto(tx, 'product_models', rows)}
    on conflict (product_id, stl_file_id) do update set position = excluded.position`
}

export async function writeOverride(tx: Queryable, id: string, override: LicenseOverride): Promise<void> {
  await tx`update products set license_override = ${tx.json(override)} where id = ${id}`
}

export async function setDeleted(tx: Queryable, id: string, at: Date | null, now: Date): Promise<void> {
  await tx`update products set deleted_at = ${at}, updated_at = ${now}, revision = revision + 1,
    published_revision = case when published_revision = revision then published_revision + 1
                              else published_revision end
    where id = ${id}`
}

/** Permanently removes products deleted before this time. Returns the number of removed products. */
export async function purgeProducts(tx: Queryable, before: Date): Promise<number> {
  const doomed = await tx<{ id: string }[]>`
    select id from products where deleted_at < ${before} order by id limit 500 for update skip locked`
  const ids = doomed.map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx`update drafts set product_id = null where product_id = any(${ids}::uuid[])`
  await tx`delete from publications where product_id = any(${ids}::uuid[])`
  await tx`delete from product_models where product_id = any(${ids}::uuid[])`
  await tx`delete from products where id = any(${ids}::uuid[])`
  return ids.length
}

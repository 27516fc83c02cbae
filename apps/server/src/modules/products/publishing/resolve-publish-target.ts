import type { PublishProductBody } from '@pegasus/contracts/products/publishing'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { lockDraftProduct } from '../drafts/drafts.queries.ts'
import { lockProduct, lockProductBySlug } from '../catalog/product-changes.queries.ts'
import type { ProductContent } from '../catalog/product-content.ts'
import type { ProductRow } from '../catalog/products.queries.ts'
import { findLastPublication } from './publications.queries.ts'

/** The existing product that a publish request means, and how it was found. */
interface MatchedProduct {
  product: ProductRow
  by: 'making' | 'draft' | 'slug'
}

/**
 * Finds the product that an earlier attempt of the same request created: by `making_id`, by draft, or by slug. Leaves
 * out products in the trash. Until the transaction ends, the product stays locked, and no other transaction can create
 * a product for the same request.
 */
export async function findMatchedProduct(
  tx: Queryable,
  { making_id: makingId, draft_id: draftId, slug }: PublishProductBody,
  accountId: string,
): Promise<MatchedProduct | null> {
  const made = makingId ? await lockMadeProduct(tx, makingId) : null
  if (made) return { product: made, by: 'making' }
  const ofDraft = draftId ? await lockDraftProduct(tx, draftId, accountId) : null
  const drafted = ofDraft && (await lockProduct(tx, ofDraft))
  if (drafted && drafted.deleted_at === null) return { product: drafted, by: 'draft' }
  const named = await lockProductBySlug(tx, slug)
  return named && { product: named, by: 'slug' }
}

async function lockMadeProduct(tx: Queryable, makingId: string): Promise<ProductRow | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`product-making:${makingId}`}, 0))`
  const [found] = await tx<{ id: string }[]>`
    select id from products where making_id = ${makingId} and deleted_at is null order by id desc limit 1`
  return found ? lockProduct(tx, found.id) : null
}

export async function rememberMaking(tx: Queryable, productId: string, makingId: string): Promise<void> {
  await tx`update products set making_id = ${makingId} where id = ${productId}`
}

/**
 * Checks a publish request for a product that is already published. Allows it only if it repeats the caller's own
 * request whose response was lost; fields other than the slug may have new values. Throws PRODUCT_SLUG_TAKEN if the
 * product was found by its slug alone. Throws PRODUCT_IN_SHOP if the slug differs or if somebody has edited the product
 * since.
 */
export async function assertGoesOn(
  tx: Queryable,
  { product, by }: MatchedProduct,
  content: ProductContent,
): Promise<void> {
  if (by === 'slug') throw new AppError('PRODUCT_SLUG_TAKEN', { body: { product_id: product.id } })
  const last = await findLastPublication(tx, product.id)
  const isUntouched = last?.number === 1 && last.revision === product.revision
  if (by === 'making' && isUntouched && content.slug === product.slug) return
  throw new AppError('PRODUCT_IN_SHOP', {
    text: `This product is already in the shop, as “${product.slug}”.`,
    body: { product_id: product.id },
  })
}

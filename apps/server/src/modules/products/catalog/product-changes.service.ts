import type { SaveProductBody, UpdateProductBody } from '@pegasus/contracts/products/products'
import type { AuditAction } from '@pegasus/contracts/audit'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, writeOnce } from '../../../platform/http/idempotency.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { writeAudit } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { saveDifferences } from '../sync-check/sync-check.queries.ts'
import { withoutSettled } from '../sync-check/remote-snapshot.ts'
import { applyEdit, contentOf, isSameContent, type ProductContent, readContent } from './product-content.ts'
import { presentProduct, type WireNeeds } from './products.present.ts'
import { findProduct, type ProductRow } from './products.queries.ts'
import { insertContent } from './products.service.ts'
import { mayHaveArrived } from '../publishing/publications.queries.ts'
import {
  isUnderWay,
  lockProduct,
  lockSlug,
  purgeProducts,
  replaceModels,
  setDeleted,
  updateContent,
} from './product-changes.queries.ts'

/** Links of a product. Undefined links stay unchanged. */
export interface Links {
  itemId?: string | null | undefined
  stlFileIds?: readonly string[] | undefined
}

export const linksOf = (body: {
  inventory_item_id?: string | null | undefined
  stl_file_ids?: readonly string[] | undefined
}): Links => ({
  itemId: body.inventory_item_id,
  stlFileIds: body.stl_file_ids && [...new Set(body.stl_file_ids)],
})

export interface ProductChanges {
  /** Adds a product. Throws PRODUCT_SLUG_TAKEN, INVALID_INPUT, MODEL_NOT_FOUND or ITEM_NOT_FOUND. */
  create(
    body: SaveProductBody,
    by: { accountId: string; audit: AuditContext; idempotencyKey: string | null },
  ): Promise<HttpResult<ReturnType<typeof presentProduct>>>
  /**
   * Changes a product. `revision` comes from `If-Match`; null accepts any revision. Throws PRODUCT_NOT_FOUND,
   * PRECONDITION_FAILED, PRODUCT_SLUG_FIXED and the errors of `create`.
   */
  update(id: string, body: UpdateProductBody, revision: number | null, by: AuditContext): Promise<ProductRow>
  /** Moves a product to the trash. Throws PRODUCT_NOT_FOUND, PRECONDITION_FAILED or PRODUCT_PUBLISHING. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /** Restores a product. A live product stays unchanged. Throws PRODUCT_NOT_FOUND or PRODUCT_SLUG_TAKEN. */
  restore(id: string, by: AuditContext): Promise<ProductRow>
  /** Permanently removes products that have been in the trash for 30 days. */
  purge(): Promise<void>
}

/**
 * Writes the audit entry of a change, and publishes events for the product and for all models to which it is or was
 * linked.
 */
export async function concludeChange(
  tx: Queryable,
  action: AuditAction,
  change: { row: ProductRow; before?: ProductRow },
  by: AuditContext,
): Promise<void> {
  const { row, before } = change
  const fields = (of: ProductRow) => ({
    ...contentOf(of),
    inventory_item_id: of.item_id,
    stl_file_ids: of.stl_file_ids,
  })
  await writeAudit(
    tx,
    {
      action,
      entity: 'product',
      entityId: row.id,
      entityName: row.name,
      ...(before && { before: fields(before), after: fields(row) }),
    },
    by,
  )
  const type = action === 'product.deleted' ? 'deleted' : action === 'product.updated' ? 'updated' : 'created'
  const models = new Set([...row.stl_file_ids, ...(before?.stl_file_ids ?? [])])
  await publishAll(tx, [
    { type, entity: 'product', id: row.id },
    ...[...models].map((id) => ({ type: 'updated' as const, entity: 'stl_file' as const, id })),
  ])
}

export async function rereadProduct(tx: Queryable, id: string): Promise<ProductRow> {
  const row = await findProduct(tx, id)
  if (!row) throw new Error('A product that is locked is not there.')
  return row
}

/** Removes stored differences if our new value equals the value on the main site. */
async function dropSettled(
  tx: Queryable,
  before: ProductRow,
  { content, itemId }: { content: ProductContent; itemId: string | null },
): Promise<void> {
  const known = before.check_differences ?? []
  // The stock difference belongs to the previous item. Drop it if the product has another item now.
  const same = itemId === before.item_id ? known : known.filter(({ field }) => field !== 'stock')
  const left = withoutSettled(same, content)
  if (left.length < known.length) await saveDifferences(tx, before.id, left)
}

/** Changes the content or the links of a locked product, and writes an audit entry. Does nothing if nothing differs. */
export async function changeProduct(
  tx: Queryable,
  before: ProductRow,
  to: { content: ProductContent } & Links,
  by: AuditContext,
): Promise<ProductRow> {
  const { content, itemId = before.item_id, stlFileIds = before.stl_file_ids } = to
  const isVisible = !isSameContent(before, content)
  const hasOtherLinks = itemId !== before.item_id || stlFileIds.join() !== before.stl_file_ids.join()
  if (!isVisible && !hasOtherLinks) return before
  await updateContent(tx, before.id, { content, itemId, isVisible, now: by.now })
  await replaceModels(tx, before.id, stlFileIds)
  await dropSettled(tx, before, { content, itemId })
  const row = await rereadProduct(tx, before.id)
  await concludeChange(tx, 'product.updated', { row, before }, by)
  return row
}

/**
 * Locks a live product and returns it. A `revision` of null accepts any revision. Throws PRODUCT_NOT_FOUND, or
 * PRECONDITION_FAILED with the current product.
 */
export async function lockLive(
  tx: Queryable,
  { id, revision, ...needs }: { id: string; revision: number | null } & WireNeeds,
): Promise<ProductRow> {
  const row = await lockProduct(tx, id)
  if (!row || row.deleted_at !== null) throw new AppError('PRODUCT_NOT_FOUND')
  assertRevision(revision, row, () => presentProduct(row, needs))
  return row
}

/**
 * Throws PRODUCT_SLUG_FIXED if the main site has, or may have, the product under its current slug. A shop that finds
 * products by slug would create a second product for a new slug.
 */
export async function assertSlugIsFree(tx: Queryable, product: ProductRow): Promise<void> {
  if (product.published_at !== null || (await isUnderWay(tx, product.id)))
    throw new AppError('PRODUCT_SLUG_FIXED', {
      errors: [{ path: 'slug', message: 'The main site knows this product by its slug' }],
      body: { product_id: product.id },
    })
  if (await mayHaveArrived(tx, product.id)) {
    const message = `The main site may already have this product, as “${product.slug}”`
    throw new AppError('PRODUCT_SLUG_FIXED', {
      text: `${message}: the response of the site was lost. Please publish the product under that slug.`,
      errors: [{ path: 'slug', message }],
      body: { product_id: product.id },
    })
  }
}

export function createProductChanges(deps: { database: Database; clock: Clock } & WireNeeds): ProductChanges {
  const { database, clock, currency, signer } = deps
  const needs = { currency, signer }

  return {
    create: (body, by) =>
      writeOnce({ database, clock }, by, ['product', body], async (tx, { audit }) => {
        const content = readContent(body, currency)
        await lockSlug(tx, content.slug)
        const id = await insertContent(tx, content, linksOf(body), audit)
        const row = await rereadProduct(tx, id)
        await concludeChange(tx, 'product.added', { row }, audit)
        return { status: 201, body: presentProduct(row, needs) }
      }),

    update: (id, body, revision, by) =>
      database.transaction(async (tx) => {
        const before = await lockLive(tx, { id, revision, ...needs })
        const content = applyEdit(before, body, currency)
        if (content.slug !== before.slug) await assertSlugIsFree(tx, before)
        return changeProduct(tx, before, { content, ...linksOf(body) }, by)
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, { id, revision, ...needs })
        if (await isUnderWay(tx, id)) throw new AppError('PRODUCT_PUBLISHING')
        await setDeleted(tx, id, by.now, by.now)
        await concludeChange(tx, 'product.deleted', { row }, by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const row = await lockProduct(tx, id)
        if (!row) throw new AppError('PRODUCT_NOT_FOUND')
        if (row.deleted_at === null) return row
        await setDeleted(tx, id, null, by.now)
        const restored = await rereadProduct(tx, id)
        await concludeChange(tx, 'product.restored', { row: restored }, by)
        return restored
      }),

    async purge() {
      await database.transaction((tx) => purgeProducts(tx, trashCutoff(clock.now())))
    },
  }
}

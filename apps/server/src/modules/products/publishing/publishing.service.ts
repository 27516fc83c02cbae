import type { PublishProductBody } from '@pegasus/contracts/products/publishing'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { actorColumns, type AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish as publishEvent } from '../../events/index.ts'
import { forgetDraft, linkDraft } from '../drafts/drafts.queries.ts'
import { isUnderWay, lockProduct, lockSlug } from '../catalog/product-changes.queries.ts'
import {
  assertSlugIsFree,
  changeProduct,
  concludeChange,
  linksOf,
  rereadProduct,
} from '../catalog/product-changes.service.ts'
import type { MainSite } from '../main-site/main-site.ts'
import { isSameContent, type ProductContent, payloadOf, readContent } from '../catalog/product-content.ts'
import { findProduct, type ProductRow } from '../catalog/products.queries.ts'
import { insertContent } from '../catalog/products.service.ts'
import type { Delivery } from './delivery.service.ts'
import { assertMaySell } from './license-override.ts'
import { assertGoesOn, findMatchedProduct, rememberMaking } from './resolve-publish-target.ts'
import {
  findLastPublication,
  findPublication,
  finishPublication,
  insertPublication,
  LOCAL_TARGET,
  listPublications,
  markPublished,
  markPublishing,
  type PublicationRow,
  requeuePublication,
} from './publications.queries.ts'

export interface Publisher extends IdempotentCaller {
  role: string
}

/** The result of publishing. Without a main site, the product is only in the catalog. */
export interface Published {
  /** HTTP status of the response. It is 201 if the product is new in the catalog. */
  status: number
  product: ProductRow
  publication: PublicationRow
}

export interface Publishing {
  /**
   * Stores a product and sends it to the main site. Throws MAIN_SITE_FAILED with the site's message,
   * PRODUCT_SLUG_TAKEN, PRODUCT_PUBLISHING, LICENSE_BLOCKED, FORBIDDEN, or an error of storing a product.
   */
  publishNew(body: PublishProductBody, by: Publisher): Promise<Published>
  /**
   * Sends a product of the catalog to the main site. A repeated request with the same `Idempotency-Key` returns the
   * publication of the first request, after another attempt if it has failed. Throws PRODUCT_NOT_FOUND,
   * IDEMPOTENCY_KEY_REUSED or an error of `publishNew`.
   */
  publish(id: string, options: PublishOptions, by: Publisher): Promise<Published>
  /** Lists the publications of a product, newest first. Throws PRODUCT_NOT_FOUND. */
  history(productId: string): Promise<PublicationRow[]>
}

interface PublishOptions {
  /** The reason for overriding the license gate. */
  override?: string | undefined
  /** Sends the product even if it has no unpublished changes, in case the site has changed or lost it. */
  again?: boolean | undefined
}

/** A publication that is recorded, but not sent yet. */
interface RecordedPublication {
  status: number
  productId: string
  publicationId: string
}

/** Returns whether the site has no revision of the product, or only an earlier one. */
const isBefore = ({ published_revision: sent }: ProductRow, revision: number): boolean =>
  sent === null || sent < revision

export function createPublishing(deps: {
  database: Database
  clock: Clock
  currency: string
  /** The public address of our media. */
  publicUrl: string
  site: MainSite | null
  delivery: Delivery
}): Publishing {
  const { database, clock, currency, publicUrl, site, delivery } = deps
  const target = site?.url ?? LOCAL_TARGET

  /**
   * Records a publication of the current product, and returns its id. If one is in progress, or the site already has
   * everything, returns the id of the last publication instead.
   */
  const recordPublication = async (
    tx: Queryable,
    product: ProductRow,
    by: AuditContext,
    { again = false } = {},
  ) => {
    const last = await findLastPublication(tx, product.id)
    if (last && (last.status === 'pending' || last.status === 'sending')) return last.id
    const isOnSite = product.published_revision === product.revision && last?.target === target
    const isLost = product.check_outcome === 'differs' || product.check_outcome === 'missing'
    if (last?.status === 'published' && isOnSite && !(again && isLost)) return last.id
    const next = {
      target,
      payload: payloadOf(product, { currency, publicUrl }),
      revision: product.revision,
      actor: actorColumns(by.actor),
      now: by.now,
    }
    const id = last?.status === 'failed' ? last.id : uuidv7()
    if (last?.status === 'failed') await requeuePublication(tx, id, next)
    else {
      const number = (last?.number ?? 0) + 1
      await insertPublication(tx, { ...next, id, productId: product.id, number, idempotencyKey: uuidv4() })
    }
    if (site === null) await publishLocally(tx, { id, product }, by)
    else await markPublishing(tx, product.id, by.now)
    await publishEvent(tx, { type: 'updated', entity: 'product', id: product.id })
    return id
  }

  /** Marks a product as published without sending it, because no main site is configured. */
  const publishLocally = async (
    tx: Queryable,
    { id, product }: { id: string; product: ProductRow },
    by: AuditContext,
  ) => {
    const written = await findPublication(tx, id)
    const outcome = {
      status: 'published' as const,
      httpStatus: null,
      text: null,
      mayHaveArrived: false,
      now: by.now,
    }
    await finishPublication(tx, { id, tries: written?.tries ?? 0 }, outcome)
    const { revision } = product
    await markPublished(tx, product.id, { revision, siteId: null, siteUrl: null, now: by.now })
    const event = { action: 'product.published', entity: 'product', entityId: product.id } as const
    await writeAudit(tx, { ...event, entityName: product.name, after: { target: LOCAL_TARGET } }, by)
  }

  const storeProduct = async (
    tx: Queryable,
    body: PublishProductBody,
    content: ProductContent,
    by: Publisher,
  ): Promise<{ status: number; product: ProductRow }> => {
    const { audit } = by
    const match = await findMatchedProduct(tx, body, by.accountId)
    if (!match) {
      const id = await insertContent(tx, content, linksOf(body), audit)
      if (body.making_id) await rememberMaking(tx, id, body.making_id)
      const product = await rereadProduct(tx, id)
      await concludeChange(tx, 'product.added', { row: product }, audit)
      return { status: 201, product }
    }
    const { product: known } = match
    // The request may be a repetition, so the product may already be on the site.
    if (isSameContent(known, content)) {
      if (known.published_at !== null) return { status: 200, product: known }
    } else if (known.published_at !== null) await assertGoesOn(tx, match, content)
    else if (await isUnderWay(tx, known.id)) throw new AppError('PRODUCT_PUBLISHING')
    else if (content.slug !== known.slug) await assertSlugIsFree(tx, known)
    if (body.making_id) await rememberMaking(tx, known.id, body.making_id)
    return { status: 200, product: await changeProduct(tx, known, { content, ...linksOf(body) }, audit) }
  }

  const hasFailed = async (publicationId: string): Promise<boolean> =>
    (await findPublication(database.sql, publicationId))?.status === 'failed'

  const deliverRecorded = async ({
    status,
    productId,
    publicationId,
  }: RecordedPublication): Promise<Published> => {
    const publication = await delivery.deliver(publicationId)
    if (publication.status === 'failed')
      throw new AppError('MAIN_SITE_FAILED', {
        text: publication.response_text ?? 'The main site did not accept the product.',
        body: { product_id: productId },
      })
    const product = await findProduct(database.sql, productId)
    if (!product) throw new AppError('PRODUCT_NOT_FOUND')
    return { status, product, publication }
  }

  const recordKnown = (id: string, { override, again }: PublishOptions, by: Publisher) =>
    writeOnce(
      { database, clock },
      by,
      ['publish/product', id, override, again],
      async (tx, { audit, role }) => {
        const product = await lockProduct(tx, id)
        if (!product || product.deleted_at !== null) throw new AppError('PRODUCT_NOT_FOUND')
        await assertMaySell(tx, product, { reason: override, role }, audit)
        const publicationId = await recordPublication(tx, product, audit, { again })
        return { status: 200, body: { publicationId, revision: product.revision } }
      },
    )

  const publishKnown = async (id: string, options: PublishOptions, by: Publisher): Promise<Published> => {
    const { body: recorded } = await recordKnown(id, options, by)
    const { publicationId, revision } = recorded
    const withoutKey = { ...by, idempotencyKey: null }
    // A request that is repeated with its key after a failure attempts the recorded publication again.
    if (by.idempotencyKey !== null && (await hasFailed(publicationId)))
      return publishKnown(id, options, withoutKey)
    const published = await deliverRecorded({ status: 200, productId: id, publicationId })
    // The publication in progress may lack the last changes of the product.
    const isBehind = published.publication.revision < revision && isBefore(published.product, revision)
    if (!isBehind) return published
    const next = await recordKnown(id, options, withoutKey)
    return deliverRecorded({ status: 200, productId: id, publicationId: next.body.publicationId })
  }

  const storeAndRecord = (body: PublishProductBody, by: Publisher) => {
    const content = readContent(body, currency)
    return writeOnce({ database, clock }, by, ['publish', body], async (tx, { audit }) => {
      await lockSlug(tx, content.slug)
      const { status, product } = await storeProduct(tx, body, content, by)
      await assertMaySell(tx, product, { reason: body.license_override?.reason, role: by.role }, audit)
      const publicationId = await recordPublication(tx, product, audit)
      if (body.draft_id)
        await linkDraft(tx, { id: body.draft_id, accountId: by.accountId, productId: product.id })
      return { status, body: { status, productId: product.id, publicationId } satisfies RecordedPublication }
    })
  }

  return {
    async publishNew(body, by) {
      const { body: recorded } = await storeAndRecord(body, by)
      const { productId, publicationId, status } = recorded
      // A request that is repeated with its key after a failure attempts the recorded publication again.
      const published = (await hasFailed(publicationId))
        ? { ...(await publishKnown(productId, {}, { ...by, idempotencyKey: null })), status }
        : await deliverRecorded(recorded)
      const { accountId, audit } = by
      if (body.draft_id) await forgetDraft(database.sql, { id: body.draft_id, accountId, now: audit.now })
      return published
    },

    publish: publishKnown,

    async history(productId) {
      const product = await findProduct(database.sql, productId)
      if (!product) throw new AppError('PRODUCT_NOT_FOUND')
      return listPublications(database.sql, productId)
    },
  }
}

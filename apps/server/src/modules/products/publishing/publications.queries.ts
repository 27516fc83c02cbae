import type { ActorColumns } from '../../../platform/actor.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { ProductPayload } from '../catalog/product-content.ts'

/** The target of publications if no main site is configured. */
export const LOCAL_TARGET = 'local'

/** A request to publish a product, with all its attempts. */
export interface PublicationRow extends Omit<Row<'publications'>, 'queued_at'> {
  /** The idempotency key, which is the same for all attempts, so that the site creates only one product. */
  idempotency_key: Row<'publications'>['idempotency_key']
  /** `local`, or the address of the main site. */
  target: Row<'publications'>['target']
  payload: ProductPayload
  /** The revision of the product that the payload contains. */
  revision: Row<'publications'>['revision']
  /** Whether the site may have the product although the response to an attempt was lost or unclear. */
  may_have_arrived: Row<'publications'>['may_have_arrived']
  /** Whether the product was changed between two attempts. */
  is_mended: Row<'publications'>['is_mended']
}

const columns = (sql: Queryable) => sql`
  p.id, p.product_id, p.number, p.idempotency_key, p.target, p.payload, p.revision, p.status, p.tries,
  p.may_have_arrived, p.is_mended, p.http_status, p.response_text, p.actor_kind, p.actor_id, p.actor_name,
  p.created_at, p.sent_at, p.finished_at`

export const findPublication = (sql: Queryable, id: string) =>
  firstRow(sql<PublicationRow[]>`select ${columns(sql)} from publications p where p.id = ${id}`)

export const findLastPublication = (sql: Queryable, productId: string) =>
  firstRow(sql<PublicationRow[]>`
    select ${columns(sql)} from publications p where p.product_id = ${productId} order by p.number desc limit 1`)

export const listPublications = (sql: Queryable, productId: string): Promise<PublicationRow[]> =>
  sql<PublicationRow[]>`
    select ${columns(sql)} from publications p where p.product_id = ${productId} order by p.number desc limit 200`

export interface NewPublication {
  id: string
  productId: string
  number: number
  idempotencyKey: string
  target: string
  payload: ProductPayload
  revision: number
  actor: ActorColumns
  now: Date
}

/** Inserts a publication. Called before anything is sent. */
export async function insertPublication(tx: Queryable, publication: NewPublication): Promise<void> {
  const { actor, now } = publication
  await tx`
    insert into publications (id, product_id, number, idempotency_key, target, payload, revision, status, actor_kind,
                              actor_id, actor_name, created_at, queued_at)
    values (${publication.id}, ${publication.productId}, ${publication.number}, ${publication.idempotencyKey},
            ${publication.target}, ${tx.json(publication.payload)}, ${publication.revision}, 'pending',
            ${actor.actor_kind}, ${actor.actor_id}, ${actor.actor_name}, ${now}, ${now})`
}

/**
 * Restarts a failed publication with the current content of the product. It keeps its idempotency key, because a
 * request with this key may have reached the site.
 */
export async function requeuePublication(
  tx: Queryable,
  id: string,
  next: Pick<NewPublication, 'target' | 'payload' | 'revision' | 'actor' | 'now'>,
): Promise<void> {
  const { actor, now } = next
  await tx`
    update publications
    set status = 'pending', target = ${next.target}, payload = ${tx.json(next.payload)},
        is_mended = is_mended or payload <> ${tx.json(next.payload)}::jsonb,
        revision = ${next.revision}, actor_kind = ${actor.actor_kind}, actor_id = ${actor.actor_id},
        actor_name = ${actor.actor_name}, queued_at = ${now}, http_status = null, response_text = null,
        finished_at = null
    where id = ${id} and status = 'failed'`
}

/**
 * Claims an attempt, unless another process may still be working on an attempt that began after `lapsedBefore`.
 * `target` is the current site, or null if none is configured any more. It can differ from the recorded one.
 */
export const claimPublication = (
  sql: Queryable,
  id: string,
  { now, lapsedBefore, target }: { now: Date; lapsedBefore: Date; target: string | null },
) =>
  firstRow(sql<PublicationRow[]>`
    update publications p
    set status = 'sending', tries = tries + 1, sent_at = ${now}, target = coalesce(${target}::text, p.target),
        may_have_arrived = p.may_have_arrived or p.status = 'sending'
    where p.id = ${id} and (p.status = 'pending' or (p.status = 'sending' and p.sent_at < ${lapsedBefore}))
    returning ${columns(sql)}`)

/** Saves the result of an attempt, unless a newer attempt has started. */
export const finishPublication = (
  tx: Queryable,
  { id, tries }: { id: string; tries: number },
  outcome: {
    status: 'published' | 'failed'
    httpStatus: number | null
    text: string | null
    mayHaveArrived: boolean
    now: Date
  },
) =>
  firstRow(tx<PublicationRow[]>`
    update publications p
    set status = ${outcome.status}, http_status = ${outcome.httpStatus}, response_text = ${outcome.text},
        may_have_arrived = p.may_have_arrived or ${outcome.mayHaveArrived}, finished_at = ${outcome.now}
    where p.id = ${id} and p.tries = ${tries} and p.status in ('pending', 'sending')
    returning ${columns(tx)}`)

/** Returns whether the last publication of a product failed, although it may have reached the site. */
export async function mayHaveArrived(sql: Queryable, productId: string): Promise<boolean> {
  const last = await findLastPublication(sql, productId)
  return last?.status === 'failed' && last.may_have_arrived
}

/**
 * Lists the unfinished publications that were queued and last sent before this time. No process can still be working on
 * them.
 */
export const listAbandoned = (sql: Queryable, before: Date): Promise<{ id: string }[]> =>
  sql<{ id: string }[]>`
    select id from publications
    where status in ('pending', 'sending') and queued_at < ${before} and (sent_at is null or sent_at < ${before})
    order by queued_at limit 100`

export async function markPublishing(tx: Queryable, productId: string, now: Date): Promise<void> {
  await tx`
    update products
    set status = case when published_at is null then 'publishing' else status end, failure_reason = null,
        updated_at = ${now}
    where id = ${productId}`
}

export async function markPublished(
  tx: Queryable,
  productId: string,
  published: { revision: number; siteId: string | null; siteUrl: string | null; now: Date },
): Promise<void> {
  await tx`
    update products
    set status = 'published', failure_reason = null, published_at = ${published.now},
        published_revision = ${published.revision}, site_product_id = coalesce(${published.siteId}, site_product_id),
        site_url = coalesce(${published.siteUrl}, site_url), updated_at = ${published.now}
    where id = ${productId}`
}

/** Records a failure. If the product is already on the site, it stays published, because only a change has failed. */
export async function markFailed(tx: Queryable, productId: string, reason: string, now: Date): Promise<void> {
  await tx`
    update products
    set status = case when published_at is null then 'failed' else status end, failure_reason = ${reason},
        updated_at = ${now}
    where id = ${productId}`
}

import { setTimeout as wait } from 'node:timers/promises'
import { MAIN_SITE_TIMEOUT_SECONDS } from '@pegasus/contracts/products/publishing'
import { actorOfColumns } from '../../../platform/actor.ts'
import { addMs, type Clock, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { forgetDifferences, hasEverReported } from '../sync-check/sync-check.queries.ts'
import type { MainSite, SiteLook, SitePublishing } from '../main-site/main-site.ts'
import { saysTheSame } from '../main-site/site-product.ts'
import { findProduct } from '../catalog/products.queries.ts'
import {
  claimPublication,
  findPublication,
  finishPublication,
  listAbandoned,
  markFailed,
  markPublished,
  type PublicationRow,
} from './publications.queries.ts'

/** If a process has not finished its attempt after this time, it counts as dead. */
const LEASE_MS = (MAIN_SITE_TIMEOUT_SECONDS + 10) * SECOND_MS
/**
 * An unclear response is followed by a look-up only if less than this time has passed. Otherwise, the look-up comes at
 * the beginning of the next attempt.
 */
const LOOK_BEFORE_MS = (MAIN_SITE_TIMEOUT_SECONDS - 5) * SECOND_MS
/** Pause between two looks at a publication that another process is sending. */
const LOOK_MS = 200

export interface Delivery {
  /**
   * Completes a publication, or waits until another process has completed it. Returns the publication, which is then
   * published or failed.
   */
  deliver(id: string): Promise<PublicationRow>
  /**
   * Continues publications that a crash interrupted. Uses the same idempotency key, so that the site creates no second
   * product. Ends early when the signal aborts.
   */
  resume(signal: AbortSignal): Promise<void>
}

const isOver = ({ status }: PublicationRow): boolean => status === 'published' || status === 'failed'

/**
 * Returns whether a failed attempt certainly did not change the site, because the site refused the product or never
 * received it.
 */
const isRefusal = ({ status, isUnsent = false }: Extract<SitePublishing, { ok: false }>): boolean =>
  isUnsent || (status !== null && status >= 400 && status < 500)

/** Result of an attempt, as saved with the publication. */
interface Result {
  status: 'published' | 'failed'
  httpStatus: number | null
  text: string | null
  /** Whether the site may have accepted the product although the attempt failed. */
  mayHaveArrived: boolean
  siteId: string | null
  siteUrl: string | null
}

const NOTHING = { mayHaveArrived: false, siteId: null, siteUrl: null }

/** Returns the result of an attempt that shows that the site has the product. */
const publishedAs = (
  httpStatus: number | null,
  { id, url }: { id: string | null; url: string | null },
): Result => ({ ...NOTHING, status: 'published', httpStatus, text: null, siteId: id, siteUrl: url })

/**
 * Returns the result for a publication whose content the site already has. Returns null if the site does not have
 * exactly this content.
 */
function deliveredOf(publication: PublicationRow, there: SiteLook): Result | null {
  // The site may leave out fields only if it cannot have another version. Otherwise, the changed fields may be those
  // that it leaves out.
  const mayLeaveOut = publication.number === 1 && !publication.is_mended
  if (there.kind !== 'found' || !saysTheSame(there.fields, publication.payload, { mayLeaveOut })) return null
  return publishedAs(there.status, there)
}

/**
 * Creates the service that delivers recorded publications. It claims each attempt in the database, so that only one
 * process at a time sends a publication.
 */
export function createDelivery(deps: { database: Database; clock: Clock; site: MainSite | null }): Delivery {
  const { database, clock, site } = deps
  /**
   * The deliveries that run in this process, by the id of the publication. Concurrent requests for one publication
   * share one delivery.
   */
  const underWay = new Map<string, Promise<PublicationRow>>()

  const send = async (publication: PublicationRow): Promise<Result> => {
    if (site === null)
      return {
        status: 'failed',
        httpStatus: null,
        text: 'The main site is no longer configured.',
        ...NOTHING,
      }
    const begunAt = performance.now()
    const spentMs = () => performance.now() - begunAt
    // An earlier attempt may have succeeded although its response was lost. The look-up is needed, because some sites
    // ignore the idempotency key.
    const earlier =
      publication.tries > 1 ? deliveredOf(publication, await site.look(publication.payload.slug)) : null
    if (earlier) return earlier
    const outcome = await site.publish(publication.payload, publication.idempotency_key, spentMs())
    if (!outcome.ok && outcome.isUnclear && spentMs() < LOOK_BEFORE_MS) {
      const there = await site.look(publication.payload.slug)
      const delivered = deliveredOf(publication, there)
      if (delivered) return delivered
      // A site does not have to support the look-up. If it has reported a product before, it does, so a missing product
      // is really missing.
      if (
        outcome.plausible &&
        there.kind === 'missing' &&
        !there.isCertain &&
        !(await hasEverReported(database.sql, site.url))
      )
        return publishedAs(outcome.status, outcome.plausible)
    }
    if (!outcome.ok)
      return {
        ...NOTHING,
        status: 'failed',
        httpStatus: outcome.status,
        text: outcome.message,
        mayHaveArrived: !isRefusal(outcome),
      }
    return publishedAs(outcome.status, outcome)
  }

  const conclude = (publication: PublicationRow, result: Result): Promise<PublicationRow | null> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const done = await finishPublication(tx, publication, { ...result, now })
      // Another process has taken over, because this one seemed to be dead. The result of that process counts.
      if (!done) return null
      const { product_id: productId, revision } = publication
      if (result.status === 'published') {
        await markPublished(tx, productId, { ...result, revision, now })
        await forgetDifferences(tx, productId, now)
      } else await markFailed(tx, productId, result.text ?? '', now)
      const product = await findProduct(tx, productId)
      await writeAudit(
        tx,
        {
          action: result.status === 'published' ? 'product.published' : 'product.publication_failed',
          entity: 'product',
          entityId: productId,
          entityName: product?.name ?? null,
          after: {
            target: publication.target,
            number: publication.number,
            tries: publication.tries,
            ...(result.text !== null && { reason: result.text }),
          },
        },
        { actor: actorOfColumns(publication), now },
      )
      await publish(tx, { type: 'updated', entity: 'product', id: productId })
      return done
    })

  const deliverUntilOver = async (id: string): Promise<PublicationRow> => {
    for (;;) {
      const now = clock.now()
      const lease = { now, lapsedBefore: addMs(now, -LEASE_MS), target: site?.url ?? null }
      const claimed = await claimPublication(database.sql, id, lease)
      const done = claimed && (await conclude(claimed, await send(claimed)))
      if (done) return done
      const found = await findPublication(database.sql, id)
      if (!found) throw new Error(`The publication ${id} is gone.`)
      if (isOver(found)) return found
      await wait(LOOK_MS)
    }
  }

  const deliver = (id: string): Promise<PublicationRow> => {
    const known = underWay.get(id)
    if (known) return known
    const begun = deliverUntilOver(id).finally(() => underWay.delete(id))
    underWay.set(id, begun)
    return begun
  }

  return {
    deliver,
    async resume(signal) {
      const abandoned = await listAbandoned(database.sql, addMs(clock.now(), -LEASE_MS))
      for (const { id } of abandoned) {
        if (signal.aborted) return
        await deliver(id)
      }
    },
  }
}

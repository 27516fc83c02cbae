import { WEBHOOK_MAX_BYTES, receiveWebhook } from '@pegasus/contracts/orders/webhooks'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { readRawBody } from '../../../platform/http/raw-body.ts'
import type { MainSite } from '../../products/index.ts'
import type { ShopOrderIntake } from './shop-orders.service.ts'

/** Adds the route for events from the configured shop. It refuses events of other kinds of shops. */
export function addWebhookRoutes(
  endpoints: Endpoints,
  deps: {
    clock: Clock
    shop: Pick<ShopOrderIntake, 'take' | 'cancelRemoved'>
    site: Pick<MainSite, 'kind' | 'orders'> | null
  },
): void {
  const { clock, shop, site } = deps

  endpoints.add(receiveWebhook, async ({ params, request }) => {
    if (params.adapter !== site?.kind) throw new AppError('NOT_FOUND')
    const now = clock.now()
    const reading = await site.orders.readDelivery({
      headers: request.headers,
      body: await readRawBody(request, WEBHOOK_MAX_BYTES),
      now,
    })
    if (reading.kind === 'refused') throw new AppError('WEBHOOK_REFUSED', { text: reading.reason })
    if (reading.kind === 'other') return { outcome: 'ignored' as const, detail: null }
    // The order could not be read completely, so the next comparison reads it again.
    if (reading.kind === 'incomplete') return { outcome: 'failed' as const, detail: reading.reason }
    const by = { actor: SYSTEM_ACTOR, now }
    const taken = await (reading.kind === 'removed'
      ? shop.cancelRemoved(reading.externalId, by)
      : shop.take(reading.order, by))
    return { outcome: taken.outcome, detail: 'detail' in taken ? taken.detail : null }
  })
}

import { createHmac, randomUUID } from 'node:crypto'
import { orderBody } from './order-body.ts'
import type { ShopOrder } from './shop-store.ts'

const TIMEOUT_MS = 10_000

export interface HandOver {
  opsUrl: string
  /** If there is a key, orders are sent to `/api/integration/orders`. */
  apiKey: string
  /** Without a key, orders are sent as events that are signed with this secret. */
  webhookSecret: string
  currency: string
}

/** Returns the request for an event, signed according to Standard Webhooks. */
function eventOf(order: ShopOrder, { opsUrl, webhookSecret, currency }: HandOver) {
  const body = JSON.stringify({ type: 'order.updated', order: orderBody(order, currency) })
  const id = `msg_${randomUUID()}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', webhookSecret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    url: `${opsUrl}/api/integration/webhooks/pegasus`,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  }
}

/**
 * Sends an order to Pegasus Ops. The call can be repeated, because the number identifies the order. Returns
 * the error, or null. If an order did not arrive, Pegasus Ops later fetches it with `GET /api/admin/orders`.
 */
export async function handOver(order: ShopOrder, to: HandOver): Promise<string | null> {
  const { opsUrl, apiKey, webhookSecret, currency } = to
  if (apiKey === '' && webhookSecret === '') return 'no API key is set, and no webhook secret'
  const call =
    apiKey === ''
      ? eventOf(order, to)
      : {
          url: `${opsUrl}/api/integration/orders`,
          headers: { 'x-api-key': apiKey },
          body: JSON.stringify(orderBody(order, currency)),
        }
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'content-type': 'application/json', ...call.headers },
      body: call.body,
    })
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string | null }
    if (response.ok && typeof detail !== 'string') return null
    return detail ?? `HTTP ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

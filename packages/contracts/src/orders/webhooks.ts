import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { post } = declareEndpoints('integration')

/** Kinds of main site, as `MAIN_SITE_KIND` names them. */
export const SHOP_ADAPTERS = ['pegasus', 'woocommerce', 'shopify'] as const
export type ShopAdapter = (typeof SHOP_ADAPTERS)[number]

/**
 * Maximum size of an event. Most orders take a few kilobytes, and an order with a thousand lines takes half
 * of this limit.
 */
export const WEBHOOK_MAX_BYTES = 1024 * 1024

const webhookResult = z.object({
  /**
   * `ignored` means that the event does not concern orders. `failed` means that the order could not be
   * accepted; `detail` says why.
   */
  outcome: z.enum(['created', 'updated', 'unchanged', 'ignored', 'failed']),
  detail: nullable.text,
})
export type WebhookResult = z.output<typeof webhookResult>

/**
 * The signature is the permission: Standard Webhooks for `pegasus`, `X-WC-Webhook-Signature` for
 * `woocommerce`, `X-Shopify-Hmac-Sha256` for `shopify`. An order that cannot be accepted does not result in
 * an error response, because the shop would then send it again. The unsigned call with which WooCommerce tests
 * a new webhook is ignored.
 */
export const receiveWebhook = post('/api/integration/webhooks/:adapter', 'public', {
  summary: 'A signed event of the main shop',
  params: z.object({ adapter: z.string() }),
  isRawBody: true,
  returns: webhookResult,
  errors: ['WEBHOOK_REFUSED', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
})

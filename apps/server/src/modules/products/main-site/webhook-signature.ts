import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HOUR_MS } from '../../../platform/clock.ts'
import type { ShopDelivery } from './shop-orders.ts'

/**
 * Maximum age of a webhook call. Older calls are refused, because somebody may have recorded a call and sent it again.
 */
const MAX_AGE_MS = HOUR_MS

const isSame = (given: string, wanted: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/**
 * Returns whether the header contains the base64 HMAC-SHA256 of the body. This is how WooCommerce and Shopify
 * sign.
 */
export function isSignedBody({ headers, body }: ShopDelivery, header: string, secret: string): boolean {
  return isSame(headerOf(headers, header), createHmac('sha256', secret).update(body).digest('base64'))
}

/**
 * Returns the signing key of a secret: the decoded base64 after `whsec_`, as in Standard Webhooks, otherwise the secret
 * itself.
 */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)

/**
 * Returns why a call breaks the rules of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), or
 * null if it does not. The call may have several signatures, of which one must be correct, so that a secret can be
 * changed.
 */
export function standardWebhookFault({ headers, body, now }: ShopDelivery, secret: string): string | null {
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
  const wanted = createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')
  const given = headerOf(headers, 'webhook-signature').split(' ')
  const isSigned = given.some((each) => each.startsWith('v1,') && isSame(each.slice(3), wanted))
  if (id === '' || !isSigned) return 'The signature is missing or wrong.'
  const ageMs = now.getTime() - Number(timestamp) * 1000
  return Math.abs(ageMs) <= MAX_AGE_MS ? null : 'The timestamp of the call is too old, or in the future.'
}

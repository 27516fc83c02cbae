import { createHmac } from 'node:crypto'
import type { TestApp } from './build-test-app.ts'

/** The secret that `MAIN_SITE_WEBHOOK_SECRET` contains in tests. */
export const WEBHOOK_SECRET = 'a-secret-of-the-webhooks'

const hmac = (text: string, secret = WEBHOOK_SECRET): string =>
  createHmac('sha256', secret).update(text).digest('base64')

/** Returns the headers of an event, signed as Standard Webhooks defines. */
export function standardHeaders(body: string, { at, secret }: { at: Date; secret?: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,bm90IHRoaXM= v1,${hmac(`msg_1.${timestamp}.${body}`, secret)}`,
  }
}

export const wooHeaders = (body: string, topic = 'order.updated') => ({
  'x-wc-webhook-topic': topic,
  'x-wc-webhook-signature': hmac(body),
})

export const shopifyHeaders = (body: string, topic = 'orders/updated') => ({
  'x-shopify-topic': topic,
  'x-shopify-hmac-sha256': hmac(body),
})

/** Sends an event of a shop. */
export const sendWebhook = async (
  app: TestApp,
  adapter: string,
  body: string,
  headers: Record<string, string>,
) => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/integration/webhooks/${adapter}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  })
  return { status: answer.statusCode, body: answer.json<{ outcome?: string; detail: string | null }>() }
}

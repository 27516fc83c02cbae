import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aWooApp, ordersOf } from '../../../../../test/support/shop-apps.ts'
import { sendWebhook } from '../../../../../test/support/webhooks.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

it('the unsigned call with which WooCommerce tests a new webhook gets 200 and changes nothing', async () => {
  const { app } = await aWooApp()
  expect(await sendWebhook(app, 'woocommerce', 'webhook_id=3', FORM)).toEqual({
    status: 200,
    body: { outcome: 'ignored', detail: null },
  })
  expect(await ordersOf(app)).toEqual([])
})

it('any other unsigned call is refused, even if it begins like the first call', async () => {
  const { app } = await aWooApp()
  for (const body of ['webhook_id=3&id=7', 'webhook_id=', 'id=3', '{"id":7}', 'x\nwebhook_id=3'])
    expect((await sendWebhook(app, 'woocommerce', body, FORM)).status).toBe(401)
  const forged = { ...FORM, 'x-wc-webhook-signature': 'bm90IHRoaXM=' }
  expect((await sendWebhook(app, 'woocommerce', 'webhook_id=3', forged)).status).toBe(401)
})

it('the first call is refused if the server has no secret for webhooks', async () => {
  const variables = {
    MAIN_SITE_URL: 'http://127.0.0.1:9',
    MAIN_SITE_KIND: 'woocommerce',
    MAIN_SITE_ADMIN_KEY: 'ck_1:cs_1',
  }
  const app = await buildTestApp({ variables })
  expect((await sendWebhook(app, 'woocommerce', 'webhook_id=3', FORM)).status).toBe(401)
})

import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { callsOf } from '../support/api-calls.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { aModel } from '../support/library/library-factories.ts'
import { upload } from '../support/library/model-upload.ts'
import { DRAGON } from '../support/publishing.ts'
import { anItem, anOrder } from '../support/stock-factories.ts'

/** Addresses that would run as a script, or show content of their own, if a page used them as a link. */
const LINKS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://example.com/%0aalert(1)',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'blob:https://example.com/0',
  'file:///etc/passwd',
  'view-source:javascript:alert(1)',
]

it('T77 a link with a scheme that runs or contains content is refused in every field for an address', {
  timeout: 300_000,
}, async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const calls = callsOf(app, staff)
  const admin = callsOf(app, await app.as('admin'))
  const modelId = await aModel(app)
  await anItem(app, { sku: 'HOOK', quantity: 5 })
  const orderId = await anOrder(app, { lines: [{ sku: 'HOOK', quantity: 1, unitPriceMinor: 100 }] })
  const bytes = writeBinaryStl(createCube(20))
  const anyVersion = { 'if-match': '*' }
  const product = (change: object) => calls('POST /api/admin/products', { ...DRAGON, ...change })

  /** Each field for an address that a page may show as a link or load as a picture. */
  const fields: Record<string, (link: string) => Promise<number>> = {
    'attribution_url of an upload': async (link) =>
      (await upload(app, staff, { name: 'a.stl', bytes }, { attribution_url: link })).statusCode,
    'url of an upload': async (link) =>
      (await upload(app, staff, null, { upload_method: 'url', url: link })).statusCode,
    'attribution_url of a model': async (link) =>
      (await calls(`PUT /api/stl-files/${modelId}`, { attribution_url: link }, anyVersion)).status,
    'tracking_url of a shipment': async (link) =>
      (await calls(`POST /api/orders/${orderId}/ship`, { tracking_url: link })).status,
    'designerUrl of a product': async (link) => (await product({ designerUrl: link })).status,
    'posterUrl of a product': async (link) => (await product({ posterUrl: link })).status,
    'images of a product': async (link) => (await product({ images: [link] })).status,
    'videos of a product': async (link) => (await product({ videos: [link] })).status,
    'address of a channel': async (link) =>
      (
        await admin('POST /api/channels', {
          kind: 'webhook',
          name: 'x',
          address: link,
          events: ['low_stock'],
        })
      ).status,
  }
  const accepted: string[] = []
  for (const [field, send] of Object.entries(fields))
    for (const link of LINKS) {
      const status = await send(link)
      if (status < 400 || status >= 500) accepted.push(`${field}: ${JSON.stringify(link)} ${status}`)
    }
  console.info(`T77 script links accepted ${accepted.length} of ${Object.keys(fields).length * LINKS.length}`)
  expect(accepted).toEqual([])

  // No table contains one of the links, not even a table that a refused call could have written to.
  const tables = await app.database.sql<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  expect(tables.length).toBeGreaterThan(50)
  for (const { name } of tables) {
    const rows = await app.database.sql.unsafe(
      `select t::text from ${name} t where t::text ~* '(java|vb)\\s*script:|data:(text|image)/|blob:https'`,
    )
    expect(rows, name).toEqual([])
  }
  // The same calls succeed with a web address.
  const link = 'https://example.com/a'
  expect(await fields['attribution_url of a model']?.(link)).toBe(200)
  expect(await fields['designerUrl of a product']?.(link)).toBe(201)
  expect(await fields['tracking_url of a shipment']?.(link)).toBe(201)
  const order = (await calls(`GET /api/orders/${orderId}`)).json<Order>()
  expect(order.shipments.map(({ tracking_url: url }) => url)).toEqual([link])
})

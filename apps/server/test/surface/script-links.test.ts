import type { ErrorBody } from '@pegasus/contracts/fields'
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

/** Addresses that would run a script or show their own content if a page used them as a link. */
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

it('T77 every field for a web address refuses links that run a script or contain a page', {
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
  let products = 0
  const product = (change: object) => {
    products += 1
    return calls('POST /api/admin/products', { ...DRAGON, slug: `dragon-${products}`, ...change })
  }
  const uploaded = async (file: Parameters<typeof upload>[2], fields: Record<string, string>) => {
    const answer = await upload(app, staff, file, fields)
    return { status: answer.statusCode, text: answer.body }
  }

  /**
   * Each field whose address a page may show as a link or load as a picture: its name, its path in an error, and a call
   * that sets it.
   */
  const fields: [string, string, (link: string) => Promise<{ status: number; text: string }>][] = [
    [
      'attribution_url of an upload',
      'attribution_url',
      (link) => uploaded({ name: 'a.stl', bytes }, { attribution_url: link }),
    ],
    ['url of an upload', 'url', (link) => uploaded(null, { upload_method: 'url', url: link })],
    [
      'attribution_url of a model',
      'attribution_url',
      (link) => calls(`PUT /api/stl-files/${modelId}`, { attribution_url: link }, anyVersion),
    ],
    [
      'tracking_url of a shipment',
      'tracking_url',
      (link) => calls(`POST /api/orders/${orderId}/ship`, { tracking_url: link }),
    ],
    ['designerUrl of a product', 'designerUrl', (link) => product({ designerUrl: link })],
    ['posterUrl of a product', 'posterUrl', (link) => product({ posterUrl: link })],
    ['images of a product', 'images.0', (link) => product({ images: [link] })],
    ['videos of a product', 'videos.0', (link) => product({ videos: [link] })],
    [
      'address of a channel',
      'address',
      (link) =>
        admin('POST /api/channels', { kind: 'webhook', name: 'x', address: link, events: ['low_stock'] }),
    ],
  ]
  /** Returns whether a call was refused only because of this field. */
  const isRefusedFor = (path: string, { status, text }: { status: number; text: string }): boolean => {
    if (status !== 422) return false
    const paths = (JSON.parse(text) as ErrorBody).errors?.map((error) => error.path) ?? []
    return paths.length > 0 && paths.every((each) => each === path)
  }
  const accepted: string[] = []
  for (const [field, path, send] of fields)
    for (const link of LINKS) {
      const answer = await send(link)
      if (!isRefusedFor(path, answer))
        accepted.push(`${field}: ${JSON.stringify(link)} ${answer.status} ${answer.text}`)
    }
  console.info(`T77 script links accepted ${accepted.length} of ${fields.length * LINKS.length}`)
  expect(accepted).toEqual([])

  // Search all tables for the schemes of these links, because a refused call could have written to any table.
  const tables = await app.database.sql<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  expect(tables.length).toBeGreaterThan(50)
  for (const { name } of tables) {
    const rows = await app.database.sql.unsafe(
      `select t::text from ${name} t where t::text ~* '(java|vb)\\s*script(:|&colon;)|data:(text|image)/|blob:https|file:///|view-source:'`,
    )
    expect(rows, name).toEqual([])
  }
  // The same calls accept a web address. The server looks up the host of two addresses immediately, so these get a
  // local address without a server. Validation accepts it, even if the call then fails.
  const link = 'https://example.com/a'
  for (const [field, path, send] of fields) {
    const isLookedUp = field === 'url of an upload' || field === 'address of a channel'
    const answer = await send(isLookedUp ? 'http://127.0.0.1:1/a' : link)
    expect(isRefusedFor(path, answer), `${field}: ${answer.text}`).toBe(false)
    if (!isLookedUp) expect([200, 201], `${field}: ${answer.text}`).toContain(answer.status)
  }
  const order = (await calls(`GET /api/orders/${orderId}`)).json<Order>()
  expect(order.shipments.map(({ tracking_url: url }) => url)).toEqual([link])
})

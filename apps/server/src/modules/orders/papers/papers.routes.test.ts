import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { anItem, anOrder } from '../../../../test/support/stock-factories.ts'

const ADDRESS = {
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  line1: '12 St James’s Square',
  postal_code: 'SW1Y 4JH',
  city: 'London',
  country: 'GB',
}

const line = (sku: string, quantity: number, name = `A ${sku}`) => ({
  sku,
  name,
  quantity,
  unitPriceMinor: 100,
})

async function aShop(variables: Record<string, string> = {}) {
  const app = await buildTestApp({ variables })
  const staff = await app.as('staff')
  const fetchPdf = async (url: string) => {
    const answer = await app.http.inject({ url, headers: staff })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: answer.rawPayload,
      detail: answer.body,
    }
  }
  const act = async (id: string, what: string, payload: object = {}) =>
    (
      await app.http.inject({ method: 'POST', url: `/api/orders/${id}/${what}`, headers: staff, payload })
    ).json<Order>()
  return { app, staff, fetchPdf, act }
}

it('a packing slip lists the pieces that are left to ship, or the pieces of one shipment', async () => {
  const { app, fetchPdf, act } = await aShop()
  const dragon = await anItem(app, { sku: 'DRG', name: 'Dragon', quantity: 9 })
  const egg = await anItem(app, { sku: 'EGG', name: 'Egg', quantity: 9 })
  const id = await anOrder(app, {
    orderNumber: 'PO-7 ä',
    shippingAddress: ADDRESS,
    placedAt: new Date('2026-11-21T10:00:00Z'),
    lines: [line('DRG', 4, 'Dragon, grün'), line('NEST', 1, 'A nest')],
  })
  await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: await app.as('staff'),
    payload: {
      sku: 'NEST',
      items: [
        { inventory_item_id: egg, quantity: 3 },
        { inventory_item_id: dragon, quantity: 1 },
      ],
    },
  })
  const slip = await fetchPdf(`/api/orders/${id}/packing-slip`)
  expect([slip.status, slip.headers['content-type'], slip.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    'inline; filename="packing-slip-PO-7-.pdf"',
  ])
  expect(slip.bytes.toString('latin1')).toContain('/MediaBox [0 0 595.27')
  const [page = []] = readPdf(slip.bytes)
  expect(page).toEqual(
    expect.arrayContaining(['Packing slip', 'PO-7 ä', 'Ada Lovelace', 'London', 'SW1Y 4JH', 'Nov 21, 2026']),
  )
  const rows = page.slice(page.indexOf('Pieces') + 1)
  expect(rows.slice(0, 13)).toEqual([
    'DRG',
    'Dragon, grün',
    '4',
    'NEST',
    'A nest',
    '1',
    'EGG',
    'Egg',
    '3',
    'DRG',
    'Dragon',
    '1',
    '5 in all',
  ])
  const [first] = (await act(id, 'reserve')).items
  const shipped = await act(id, 'ship', {
    items: [{ line_id: first?.id, quantity: 3 }],
    carrier: 'DHL',
    tracking_number: 'JD01',
  })
  const parcel = await fetchPdf(
    `/api/orders/${id}/packing-slip?paper=letter&shipment_id=${shipped.shipments[0]?.id}`,
  )
  expect(parcel.bytes.toString('latin1')).toContain('/MediaBox [0 0 612')
  const [texts = []] = readPdf(parcel.bytes)
  expect(texts).toEqual(
    expect.arrayContaining(['DHL JD01', '3 in all', '5 more pieces follow in another parcel.']),
  )
  expect(texts).not.toContain('NEST')
  // The packing slip of a completed order does not announce further parcels.
  const url = `/api/orders/${id}/complete`
  const closed = await app.http.inject({
    method: 'POST',
    url,
    headers: await app.as('staff'),
    payload: { close_short: true },
  })
  expect(closed.statusCode).toBe(200)
  const last = await fetchPdf(`/api/orders/${id}/packing-slip?shipment_id=${shipped.shipments[0]?.id}`)
  expect(readPdf(last.bytes).flat().join(' ')).not.toContain('in another parcel')
  const other = await fetchPdf(`/api/orders/${id}/packing-slip?shipment_id=${id}`)
  expect([other.status, other.detail]).toEqual([422, expect.stringContaining('no such shipment')])
})

it('the slip of an earlier parcel announces the pieces that followed it, also when it is printed again', async () => {
  const { app, fetchPdf, act } = await aShop()
  await anItem(app, { sku: 'DRG', quantity: 9 })
  const id = await anOrder(app, { orderNumber: 'PO-1', lines: [line('DRG', 6)] })
  const [first] = (await act(id, 'reserve')).items
  const ship = async (quantity: number) => {
    const { shipments } = await act(id, 'ship', { items: [{ line_id: first?.id, quantity }] })
    return shipments.at(-1)?.id
  }
  const noteOf = async (shipmentId: string | undefined) => {
    const { bytes } = await fetchPdf(`/api/orders/${id}/packing-slip?shipment_id=${shipmentId}`)
    return readPdf(bytes)
      .flat()
      .find((text) => text.includes('follow'))
  }
  const one = await ship(1)
  const two = await ship(2)
  const after = [await noteOf(one), await noteOf(two)]
  expect(after).toEqual([
    '5 more pieces follow in another parcel.',
    '3 more pieces follow in another parcel.',
  ])
  // The last parcel completes the order.
  const three = await ship(3)
  expect([await noteOf(one), await noteOf(two), await noteOf(three)]).toEqual([...after, undefined])
})

it('the days of a packing slip are those of the time zone', async () => {
  const { app, staff, fetchPdf } = await aShop()
  // The app stores a due day as its last second in the browser's time zone. This one is November 30 in Los Angeles.
  const id = await anOrder(app, {
    placedAt: new Date('2026-11-21T01:00:00Z'),
    dueAt: new Date('2026-12-01T07:59:59Z'),
    lines: [line('DRG', 1)],
  })
  const days = ['Nov 20, 2026', 'Nov 30, 2026']
  const one = await fetchPdf(`/api/orders/${id}/packing-slip?time_zone=America/Los_Angeles`)
  expect(readPdf(one.bytes)[0]).toEqual(expect.arrayContaining(days))
  const many = await app.http.inject({
    method: 'POST',
    url: '/api/orders/packing-slips',
    headers: staff,
    payload: { ids: [id], time_zone: 'America/Los_Angeles' },
  })
  expect(readPdf(many.rawPayload)[0]).toEqual(expect.arrayContaining(days))
  const unknown = await fetchPdf(`/api/orders/${id}/packing-slip?time_zone=Mars/Olympus`)
  expect([unknown.status, unknown.detail]).toEqual([422, expect.stringContaining('time_zone')])
})

it('if no pieces are left to ship, the PDF has a packing slip for each shipment, or is refused without shipments', async () => {
  const { app, staff, fetchPdf, act } = await aShop()
  await anItem(app, { sku: 'DRG', name: 'Dragon', quantity: 9 })
  await anItem(app, { sku: 'EGG', name: 'Egg', quantity: 9 })
  const id = await anOrder(app, { orderNumber: 'PO-1', lines: [line('DRG', 2), line('EGG', 3)] })
  const [dragon] = (await act(id, 'reserve')).items
  await act(id, 'ship', { items: [{ line_id: dragon?.id, quantity: 2 }] })
  const slipsOf = async (order: string) => {
    const { bytes } = await fetchPdf(`/api/orders/${order}/packing-slip`)
    return readPdf(bytes).map((page) => [
      page.filter((text) => ['DRG', 'EGG'].includes(text)).join(),
      page.find((text) => text.endsWith(' in all')),
    ])
  }
  expect(await slipsOf(id)).toEqual([['EGG', '3 in all']])
  await act(id, 'ship', { carrier: 'DHL' })
  expect(await slipsOf(id)).toEqual([
    ['DRG', '2 in all'],
    ['EGG', '3 in all'],
  ])
  // A cancelled order has no pieces left to pack, even if some were never shipped.
  const cancelled = await anOrder(app, { orderNumber: 'PO-2', lines: [line('DRG', 1)] })
  expect(await slipsOf(cancelled)).toEqual([['DRG', '1 in all']])
  await act(cancelled, 'cancel')
  const empty = await anOrder(app, { orderNumber: 'PO-3', lines: [] })
  for (const [order, number] of [
    [cancelled, 'PO-2'],
    [empty, 'PO-3'],
  ]) {
    const { status, detail } = await fetchPdf(`/api/orders/${order}/packing-slip`)
    expect([status, detail]).toEqual([409, expect.stringContaining(`Order ${number} has no pieces to pack.`)])
  }
  const draw = (ids: string[]) =>
    app.http.inject({ method: 'POST', url: '/api/orders/packing-slips', headers: staff, payload: { ids } })
  expect(readPdf((await draw([cancelled, id, empty])).rawPayload).map((page) => page[1])).toEqual([
    'PO-1',
    'PO-1',
  ])
  const refused = await draw([cancelled, empty])
  expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
    409,
    'None of these orders has pieces to pack.',
  ])
})

it('a packing slip names an item by its SKU if the shop ordered it with another one', async () => {
  const { app, staff, fetchPdf } = await aShop()
  const egg = await anItem(app, { sku: 'EGG', name: 'Egg', quantity: 9 })
  const id = await anOrder(app, { lines: [line('easter-egg', 2, 'Easter egg'), line('GIFT-WRAP', 1)] })
  await app.http.inject({
    method: 'POST',
    url: '/api/orders/unknown-skus/map',
    headers: staff,
    payload: { sku: 'easter-egg', items: [{ inventory_item_id: egg }] },
  })
  const [page = []] = readPdf((await fetchPdf(`/api/orders/${id}/packing-slip`)).bytes)
  const rows = page.slice(page.indexOf('Pieces') + 1)
  expect(rows.slice(0, 6)).toEqual(['EGG', 'Easter egg', '2', 'GIFT-WRAP', 'A GIFT-WRAP', '1'])
})

it('a packing slip of a thousand lines with long names lists every line once, on several pages', async () => {
  const { app, fetchPdf } = await aShop()
  const name = 'A very long name of a part that takes more than the column of the slip has '.repeat(3)
  const id = await anOrder(app, {
    lines: Array.from({ length: 1000 }, (_, index) => line(`SKU-${index}`, 1, name)),
  })
  const { status, bytes } = await fetchPdf(`/api/orders/${id}/packing-slip`)
  const pages = readPdf(bytes)
  const skus = pages.flat().filter((text) => text.startsWith('SKU-'))
  expect([status, new Set(skus).size, skus.length]).toEqual([200, 1000, 1000])
  expect(pages.flat().join(' ').split(name.trim())).toHaveLength(1001)
  expect(pages.map((page) => page.at(-1))).toEqual(pages.map((_, index) => `Page ${index + 1}`))
})

it('the packing slips of several orders form one PDF, in which each slip has its own pages', async () => {
  const { app, staff } = await aShop()
  const ids = [
    await anOrder(app, { orderNumber: 'PO-1', lines: [line('A', 1)] }),
    await anOrder(app, { orderNumber: 'PO-2', lines: [line('B', 2)] }),
  ]
  const draw = (payload: object) =>
    app.http.inject({ method: 'POST', url: '/api/orders/packing-slips', headers: staff, payload })
  const gone = '0198c0de-0000-7000-8000-000000000001'
  const slips = await draw({ ids: [...ids, gone] })
  expect(slips.headers['content-disposition']).toBe('inline; filename="packing-slips.pdf"')
  expect(readPdf(slips.rawPayload).map((page) => page[1])).toEqual(['PO-1', 'PO-2'])
  expect([(await draw({ ids: [gone] })).statusCode, (await draw({ ids: [] })).statusCode]).toEqual([404, 422])
})

it('an address label fits its paper size, and is refused for an order without an address', async () => {
  const { app, fetchPdf } = await aShop()
  const id = await anOrder(app, { orderNumber: 'PO-8', shippingAddress: ADDRESS })
  const label = await fetchPdf(`/api/orders/${id}/address-label?size=100x50`)
  expect(label.bytes.toString('latin1')).toContain('/MediaBox [0 0 283.46')
  expect(readPdf(label.bytes)).toEqual([
    [
      'Ada Lovelace',
      'Analytical Engines',
      '12 St James’s Square',
      'London',
      'SW1Y 4JH',
      'UNITED KINGDOM',
      'PO-8',
    ],
  ])
  const american = await anOrder(app, {
    orderNumber: 'PO-10',
    shippingAddress: { ...ADDRESS, city: 'Reno', region: 'NV', postal_code: '89501', country: 'US' },
    lines: [line('DRG', 1)],
  })
  for (const paper of ['address-label', 'packing-slip?paper=letter'])
    expect(readPdf((await fetchPdf(`/api/orders/${american}/${paper}`)).bytes)[0]).toEqual(
      expect.arrayContaining(['Reno, NV 89501', 'UNITED STATES']),
    )
  expect((await fetchPdf(`/api/orders/${id}/address-label?size=huge`)).status).toBe(422)
  const plain = await anOrder(app, { orderNumber: 'PO-9' })
  expect((await fetchPdf(`/api/orders/${plain}/address-label`)).detail).toContain(
    'Order PO-9 has no address.',
  )
})

it.each(['packing-slip', 'address-label', 'address-label?size=100x50'])(
  'the paper %s contains long SKUs and addresses completely',
  async (paper) => {
    const { app, fetchPdf } = await aShop()
    const sku = 'DRAGON-ARTICULATED-RED-LARGE-WITH-A-STAND'
    const shippingAddress = {
      ...ADDRESS,
      line1: `Industrial estate number seventeen, building C, staircase 4, ${'Long street name '.repeat(5)}12`,
      line2: 'Floor 3, flat 12, second door on the left, please ring at Lovelace',
      region: 'Greater London',
      phone: '+44 20 7946 0958',
    }
    const id = await anOrder(app, { shippingAddress, lines: [line(sku, 1)] })
    const { bytes, status } = await fetchPdf(`/api/orders/${id}/${paper}`)
    const text = withoutBlanks(readPdf(bytes).flat().join(''))
    expect([status, text.includes('…')]).toEqual([200, false])
    for (const part of [shippingAddress.line1, shippingAddress.line2, shippingAddress.phone])
      expect(text).toContain(withoutBlanks(part))
    if (paper === 'packing-slip') expect(text).toContain(sku)
  },
)

it('a label on which the address would be smaller than 5 pt is refused with a sentence', async () => {
  const { app, fetchPdf } = await aShop()
  const line1 = `Industrial estate number seventeen, building C, ${'Long street name '.repeat(5)}12`
  const id = await anOrder(app, {
    orderNumber: 'PO-5',
    shippingAddress: { ...ADDRESS, line1, line2: 'Floor 3', phone: '+44 20 7946 0958' },
  })
  const refused = await fetchPdf(`/api/orders/${id}/address-label?size=62x29`)
  expect([refused.status, JSON.parse(refused.detail).detail]).toEqual([
    409,
    'The address of order PO-5 is too long for a label of 62 × 29 mm. Choose a larger label.',
  ])
  const small = await anOrder(app, { orderNumber: 'PO-6', shippingAddress: ADDRESS })
  expect((await fetchPdf(`/api/orders/${small}/address-label?size=62x29`)).status).toBe(200)
})

it('slips and labels name the sender, and a label leaves it out if the address needs its room', async () => {
  const { app, fetchPdf } = await aShop({
    SHOP_NAME: 'Pegasus Prints',
    SHOP_ADDRESS: String.raw`1 Main Street | Suite 4\nReno, NV 89501`,
  })
  const sender = ['Pegasus Prints', '1 Main Street', 'Suite 4', 'Reno, NV 89501']
  const id = await anOrder(app, {
    orderNumber: `PO-${'7'.repeat(60)}`,
    shippingAddress: ADDRESS,
    lines: [line('DRG', 1)],
  })
  const textsOf = async (paper: string) =>
    readPdf((await fetchPdf(`/api/orders/${id}/${paper}`)).bytes).flat()
  expect(await textsOf('packing-slip')).toEqual(expect.arrayContaining(sender))
  const [first, ...address] = await textsOf('address-label')
  expect(first).toBe(sender.join(' · '))
  expect(address).toContain('Ada Lovelace')
  const narrow = await textsOf('address-label?size=62x29')
  expect(narrow[0]).toBe('Ada Lovelace')
})

/** Texts that a template engine, a browser or a file reader would interpret as commands. */
const TEMPLATES = [
  '{{7*7}}',
  '${7*7}',
  '#{7*7}',
  '<%= 7*7 %>',
  '{% include "x" %}',
  '{{constructor}}',
  '../../etc/passwd',
  String.raw`..\\..\\boot.ini`,
  'file:///etc/passwd',
  '<img src=file:///x>',
  '<script>a()</script>',
  '&lt;b&gt;&#49;',
  '@import url(x)',
  '%2e%2e%2fx',
  '(x) Tj /F1 9 Tf',
]

const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, '')

it('T61 texts that look like templates, markup or paths are printed literally on slips, labels and pictures', async () => {
  const { app, staff, fetchPdf } = await aShop()
  const wrong: string[] = []
  for (const [index, text] of TEMPLATES.entries()) {
    const itemId = await anItem(app, { sku: `S-${index}`, name: text })
    const orderNumber = `N${index} ${text}`
    const shippingAddress = { ...ADDRESS, name: text, company: text }
    const id = await anOrder(app, { orderNumber, shippingAddress, lines: [line(`X-${index}`, 1, text)] })
    for (const [paper, times] of [
      ['packing-slip', 4],
      ['address-label', 2],
    ] as const) {
      const { bytes } = await fetchPdf(`/api/orders/${id}/${paper}`)
      const page = withoutBlanks(readPdf(bytes).flat().join(''))
      const found = page.split(withoutBlanks(text)).length - 1
      if (found < times) wrong.push(`${paper} ${text}: ${found} times`)
    }
    const label = await app.http.inject({ url: `/api/inventory/${itemId}/label`, headers: staff })
    const elements = new Set([...label.body.matchAll(/<([a-z]+)/gi)].map(([, name]) => name))
    const isDrawn = [...elements].every((name) => ['svg', 'g', 'path', 'rect', 'title'].includes(name ?? ''))
    if (label.statusCode !== 200 || !isDrawn) wrong.push(`label ${text}: ${[...elements]}`)
  }
  console.info(`T61 texts not printed literally ${wrong.length} of ${TEMPLATES.length * 3}`)
  expect(wrong).toEqual([])
})

import { inflateSync } from 'node:zlib'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Label, QueuedLabel } from '@pegasus/contracts/labels/labels'
import { LABEL_ROLLS, LABEL_SHEETS } from '@pegasus/contracts/labels/label-papers'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { readCodes } from '../../../test/support/accounts/read-codes.ts'
import { readGlyphs, readPdf } from '../../../test/support/read-pdf.ts'
import { aSpool, anItem } from '../../../test/support/stock-factories.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { drawText } from '../../platform/pdf/fonts.ts'

const OPS = { PUBLIC_URL: 'https://ops.example.com' }
const NOBODY = '01890000-0000-7000-8000-000000000000'

const post = async (app: TestApp, url: string, payload: object, role: 'viewer' | 'staff' = 'staff') =>
  app.http.inject({ method: 'POST', url, payload, headers: await app.as(role) })

const get = async (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers: { ...headers, ...(await app.as('viewer')) } })

const item = async (app: TestApp, id: string): Promise<InventoryItem> =>
  (await get(app, `/api/inventory/${id}`)).json<InventoryItem>()

const locationOf = async (app: TestApp, id: string): Promise<string> => {
  const [row] = await app.database.sql<
    { location_id: string }[]
  >`select location_id from items where id = ${id}`
  return row?.location_id ?? ''
}

const queue = async (app: TestApp): Promise<string[]> =>
  (await get(app, '/api/labels/queue')).json<QueuedLabel[]>().map(({ code, reason }) => `${code} ${reason}`)

describe('the label of one object', () => {
  describe('valid requests for a label', () => {
    it('the label of an item is a picture at a signed address, with a QR code that opens the item', async () => {
      const app = await buildTestApp({ variables: OPS })
      const id = await anItem(app)
      const { qr_code_path: address } = await item(app, id)
      const picture = await app.http.inject(address ?? '')
      expect(picture.headers['content-type']).toContain('image/svg+xml')
      const png = await app.http.inject(`${address}&format=png`)
      expect(png.headers['content-type']).toBe('image/png')
      expect(await readCodes(png.rawPayload)).toEqual(['HTTPS://OPS.EXAMPLE.COM/S/I-00001'])
      const svg = await sharp(picture.rawPayload, { density: 200 }).png().toBuffer()
      expect(await readCodes(svg)).toEqual(['HTTPS://OPS.EXAMPLE.COM/S/I-00001'])
    })

    it('a label contains only the code if the server has no address that a phone can reach', async () => {
      const app = await buildTestApp()
      const id = await anItem(app)
      const png = await get(app, `/api/inventory/${id}/label`, { accept: 'image/png' })
      expect(await readCodes(png.rawPayload)).toEqual(['I-00001'])
    })

    it('labels of items, spools and locations have the requested size and a readable QR code', async () => {
      const app = await buildTestApp({ variables: OPS })
      const id = await anItem(app, { location: 'Workshop / Rack A3', bin_location: 'Bin 12' })
      const spool = await aSpool(app)
      const urls = [
        `/api/inventory/${id}/label?format=png&size=62x29&fields=name,sku,location,price`,
        `/api/locations/${await locationOf(app, id)}/label?format=png&size=54x17`,
        `/api/filament/${spool}/label?format=png&size=40x30&dpi=300`,
      ]
      const read = await Promise.all(
        urls.map(async (url) => {
          const { rawPayload } = await get(app, url)
          const { width, height } = await sharp(rawPayload).metadata()
          return [width, height, ...(await readCodes(rawPayload))]
        }),
      )
      expect(read).toEqual([
        [496, 232, 'HTTPS://OPS.EXAMPLE.COM/S/I-00001'],
        [432, 136, expect.stringMatching(/\/S\/L-000\d$/)],
        [472, 354, 'HTTPS://OPS.EXAMPLE.COM/S/S-0001'],
      ])
    })
  })

  it('a label request returns 404 for an unknown object, and 422 for invalid sizes and formats', async () => {
    const app = await buildTestApp()
    const id = await anItem(app)
    const statuses = async (urls: readonly string[]) =>
      Promise.all(urls.map(async (url) => (await get(app, url)).statusCode))
    const gone = ['inventory', 'locations', 'filament'].map((kind) => `/api/${kind}/${NOBODY}/label`)
    expect(await statuses(gone)).toEqual([404, 404, 404])
    const wrong = ['size=9x30', 'size=62x301', 'size=x', 'format=gif', 'dpi=72', 'fields=notes']
    expect(await statuses(wrong.map((query) => `/api/inventory/${id}/label?${query}`))).toEqual(
      wrong.map(() => 422),
    )
  })

  it('a label address is valid for a day and only for its own object', async () => {
    const app = await buildTestApp()
    const [id, other] = [await anItem(app), await anItem(app, { sku: 'B' })]
    const { qr_code_path: address } = await item(app, id)
    expect((await app.http.inject(`/api/inventory/${id}/label`)).statusCode).toBe(401)
    expect((await app.http.inject(String(address).replace(id, other))).statusCode).toBe(401)
    app.clock.advance(26 * HOUR_MS)
    expect((await app.http.inject(String(address))).statusCode).toBe(401)
  })
})

describe('POST /api/labels', () => {
  it('POST /api/labels returns the texts of existing objects in the requested order', async () => {
    const app = await buildTestApp()
    const first = await anItem(app, {
      name: 'Hook',
      sku: 'HOOK',
      location: 'Rack',
      selling_price_minor: 1250,
    })
    const spool = await aSpool(app)
    const things = [
      { kind: 'spool', id: spool },
      { kind: 'item', id: NOBODY },
      { kind: 'item', id: first },
      { kind: 'location', id: first },
    ]
    const labels = (await post(app, '/api/labels', { things }, 'viewer')).json<Label[]>()
    expect(labels.map(({ qr, ...label }) => ({ ...label, isDrawn: qr.path.length > 100 }))).toEqual([
      {
        kind: 'spool',
        id: spool,
        code: 'S-0001',
        payload: 'S-0001',
        name: 'Polymaker PolyLite',
        sku: 'PLA · Bone White',
        location: null,
        price: null,
        missing_letters: [],
        isDrawn: true,
      },
      {
        kind: 'item',
        id: first,
        code: 'I-00001',
        payload: 'I-00001',
        name: 'Hook',
        sku: 'HOOK',
        location: 'Rack',
        price: '$12.50',
        missing_letters: [],
        isDrawn: true,
      },
    ])
  })
})

describe('letters on labels', () => {
  const draw = (text: string, isBold = false) => drawText(text, { sizeMm: 3, isBold }, { x: 0, y: 0 })

  it('each letter that is missing in all fonts is reported once and drawn as a box on the label', async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { name: 'ก Drache ก क\u200d حامل', sku: 'Крюк-ก' })
    const [label] = (await post(app, '/api/labels', { things: [{ kind: 'item', id }] })).json<Label[]>()
    expect(label?.missing_letters).toEqual(['ก', 'क\u200d'])
    expect(draw('ก')).toContain('<path')
    expect(draw('ก')).toBe(draw('ข'))
    expect(draw('\u200d')).toBe('')
  })

  it('names in Hebrew, Arabic, Chinese, Japanese and Korean are printed on labels without boxes', async () => {
    const app = await buildTestApp()
    const names = [
      'מתלה קיר 12',
      'حامل جدار',
      '墙壁挂钩 牆壁掛鉤',
      '壁掛けフック　あいう',
      '벽걸이 후크',
      'Hook קיר 壁',
    ]
    const labels = []
    for (const name of names) labels.push({ kind: 'item', id: await anItem(app, { name }), copies: 1 })
    const shown = (await post(app, '/api/labels', { things: labels })).json<Label[]>()
    expect(shown.flatMap((label) => label.missing_letters)).toEqual([])
    const { rawPayload } = await post(app, '/api/labels/sheet', { labels, paper: 'avery-l7160' })
    const text = readPdf(rawPayload).flat().join('|')
    for (const name of names)
      for (const word of name.split(/\s/)) expect([...text].sort()).toEqual(expect.arrayContaining([...word]))
    expect(readGlyphs(rawPayload)).not.toContain('0000')
  })

  it('a name in Hebrew begins at the right of its label', () => {
    const lefts = [...draw('אב').matchAll(/translate\(([\d.]+) /g)].map(([, left]) => Number(left))
    expect(draw('אב').replaceAll(/translate\([^)]*\)/g, '')).toBe(
      (draw('ב') + draw('א')).replaceAll(/translate\([^)]*\)/g, ''),
    )
    expect(lefts[0]).toBeLessThan(lefts[1] ?? 0)
  })

  it('on a label, a font without bold letters is made bold by a line around the letters', () => {
    expect(draw('壁')).not.toContain('stroke')
    expect(draw('壁', true)).toContain('stroke-width="35"')
    expect(draw('Hook', true)).not.toContain('stroke')
  })
})

describe('POST /api/labels/sheet', () => {
  /** Counts the rectangles in the compressed page descriptions of a PDF. */
  const rectanglesIn = (pdf: Buffer): number => {
    let count = 0
    for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
      const packed = pdf.subarray(at + 'stream\n'.length, pdf.indexOf('\nendstream', at))
      if (packed[0] === 0x78) count += inflateSync(packed).toString('latin1').match(/ re$/gm)?.length ?? 0
    }
    return count
  }
  const boxesOf = (pdf: string) => pdf.match(/\/MediaBox \[[^\]]*\]/g) ?? []

  it("POST /api/labels/sheet returns a PDF with pages of the paper's size, to a tenth of a millimeter", async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { name: 'Haken für die Küche – حامل – Крюк' })
    for (const { id: paper, paper: size } of [...LABEL_ROLLS, ...LABEL_SHEETS]) {
      const labels = [{ kind: 'item', id, copies: 2 }]
      const answer = await post(app, '/api/labels/sheet', { labels, paper }, 'viewer')
      expect(answer.headers['content-type']).toBe('application/pdf')
      const boxes = boxesOf(answer.body)
      const isRoll = size.columns * size.rows === 1
      expect(boxes).toHaveLength(isRoll ? 2 : 1)
      const [, , width = 0, height = 0] = (boxes[0] ?? '').match(/[\d.]+/g)?.map(Number) ?? []
      expect(Math.abs((width / 72) * 25.4 - size.page_width_mm)).toBeLessThan(0.1)
      expect(Math.abs((height / 72) * 25.4 - size.page_height_mm)).toBeLessThan(0.1)
    }
  })

  it('a label sheet contains each QR code completely, once for each copy', async () => {
    const app = await buildTestApp()
    const things = [
      { kind: 'item', id: await anItem(app), copies: 3 },
      { kind: 'spool', id: await aSpool(app), copies: 1 },
    ]
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/labels/sheet',
      headers: await app.as('viewer'),
      payload: { labels: things, paper: 'avery-l7160' },
    })
    const codes = (await post(app, '/api/labels', { things })).json<Label[]>()
    const bars = codes.map(({ qr }) => qr.path.split('M').length - 1)
    expect(rectanglesIn(answer.rawPayload)).toBe(3 * (bars[0] ?? 0) + (bars[1] ?? 0))
  })

  it('a label sheet can begin at any cell and have custom dimensions', async () => {
    const app = await buildTestApp()
    const id = await anItem(app)
    const pages = async (body: object): Promise<number> => {
      const answer = await post(app, '/api/labels/sheet', {
        labels: [{ kind: 'item', id, copies: 3 }],
        ...body,
      })
      return boxesOf(answer.body).length
    }
    expect(await pages({ paper: 'avery-l7160', start_cell: 19 })).toBe(1)
    expect(await pages({ paper: 'avery-l7160', start_cell: 20 })).toBe(2)
    const own = {
      page_width_mm: 100,
      page_height_mm: 100,
      columns: 2,
      rows: 1,
      top_mm: 5,
      left_mm: 5,
      label_width_mm: 40,
      label_height_mm: 20,
      pitch_x_mm: 45,
      pitch_y_mm: 20,
    }
    expect(await pages({ paper: own })).toBe(2)
  })

  it('POST /api/labels/sheet refuses invalid input', async () => {
    const app = await buildTestApp()
    const id = await anItem(app)
    const label = { kind: 'item', id, copies: 1 }
    const refusal = async (body: object) => (await post(app, '/api/labels/sheet', body)).statusCode
    const [sheet] = LABEL_SHEETS
    const refusals = [
      { labels: [], paper: '62x29' },
      { labels: [label], paper: 'none' },
      { labels: [{ ...label, copies: 101 }], paper: '62x29' },
      { labels: Array.from({ length: 11 }, () => ({ ...label, copies: 100 })), paper: '62x29' },
      { labels: [label], paper: 'avery-l7160', start_cell: 22 },
      { labels: [label], paper: { ...sheet?.paper, columns: 4 } },
      { labels: [label], paper: { ...sheet?.paper, pitch_x_mm: 60 } },
      { labels: [label], paper: '62x29', fields: ['notes'] },
    ]
    expect(await Promise.all(refusals.map(refusal))).toEqual(refusals.map(() => 422))
    expect(await refusal({ labels: [{ ...label, id: NOBODY }], paper: '62x29' })).toBe(404)
  })
})

describe('the label queue', () => {
  it('the label queue lists labels that were never printed, or were printed with other texts', async () => {
    const app = await buildTestApp()
    const id = await anItem(app, { name: 'Hook', location: 'Rack', selling_price_minor: 100 })
    const location = await locationOf(app, id)
    const spool = await aSpool(app)
    expect((await queue(app)).toSorted()).toEqual([
      'I-00001 never_printed',
      'L-0001 never_printed',
      'S-0001 never_printed',
    ])
    const labels = [
      { kind: 'item', id },
      { kind: 'location', id: location },
      { kind: 'spool', id: spool },
      { kind: 'item', id: NOBODY },
    ]
    const printed = await post(app, '/api/labels/printed', { labels, fields: ['name', 'location'] })
    expect(printed.statusCode).toBe(204)
    expect(await queue(app)).toEqual([])
    const { sql } = app.database
    await sql`update items set selling_price_minor = 200, sku = 'OTHER' where id = ${id}`
    expect(await queue(app)).toEqual([])
    await sql`update locations set name = 'Shelf', path = 'Shelf' where id = ${location}`
    expect((await queue(app)).toSorted()).toEqual(['I-00001 changed', 'L-0001 changed'])
    await sql`update items set location_id = null where id = ${id}`
    await post(app, '/api/labels/printed', { labels: [{ kind: 'item', id }] })
    expect(await queue(app)).toEqual(['L-0001 changed'])
    expect((await get(app, '/api/labels/queue?kind=spool')).json()).toEqual([])
    expect((await get(app, `/api/inventory/${id}`)).headers.etag).toBe('"2"')
  })

  it('viewers cannot mark labels as printed', async () => {
    const app = await buildTestApp()
    const id = await anItem(app)
    const answer = await post(app, '/api/labels/printed', { labels: [{ kind: 'item', id }] }, 'viewer')
    expect(answer.statusCode).toBe(403)
  })
})

describe('the quick start page', () => {
  it('the quick start is one page of the chosen paper with the first steps, and states whether phones can open its codes', async () => {
    const app = await buildTestApp({ variables: OPS })
    const answer = await get(app, '/api/quick-start?paper=letter')
    expect([
      answer.statusCode,
      answer.headers['content-type'],
      answer.headers['content-disposition'],
    ]).toEqual([200, 'application/pdf', 'inline; filename="quick-start.pdf"'])
    expect(answer.rawPayload.toString('latin1')).toContain('/MediaBox [0 0 612')
    const pages = readPdf(answer.rawPayload)
    expect(pages).toHaveLength(1)
    expect(pages[0]).toEqual(
      expect.arrayContaining([
        'Pegasus Ops',
        'Quick start',
        'https://ops.example.com',
        '2. Add a model',
        '8. Get help',
      ]),
    )
    expect(pages.flat().join(' ')).not.toContain('only on this computer')
    const local = await get(await buildTestApp(), '/api/quick-start')
    expect(local.rawPayload.toString('latin1')).toContain('/MediaBox [0 0 595.27')
    expect(readPdf(local.rawPayload).flat().join(' ')).toContain('only on this computer')
    expect((await get(app, '/api/quick-start?paper=napkin')).statusCode).toBe(422)
    expect((await app.http.inject('/api/quick-start')).statusCode).toBe(401)
  })
})

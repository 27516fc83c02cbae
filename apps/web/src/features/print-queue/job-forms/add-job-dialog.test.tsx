import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { AddJobDialog } from './add-job-dialog.tsx'

const ORDER_ID = '0198c0de-0000-7000-8000-000000000002'

const ITEM = {
  id: '0198c0de-0000-7000-8000-000000000003',
  name: 'Spider',
  sku: 'SPIDER',
  available_quantity: 0,
  stl_file_id: null,
  weight_grams: 30,
  print_time_minutes: 60,
  pieces_per_print: 2,
}
const FILE = { id: 'new', file_name: 'spider.gcode', is_outdated: false, grams: 20, minutes: 73, pieces: 1 }
/** A simulated list that the server sends in two pages. */
class Pages {
  readonly pages: readonly [object[], object[]]
  constructor(...pages: [object[], object[]]) {
    this.pages = pages
  }
  answer(path: string, cursor: string | null): Response {
    const Link = `<${path}?cursor=second>; rel="next"`
    return cursor === 'second'
      ? Response.json(this.pages[1])
      : Response.json(this.pages[0], { headers: { Link } })
  }
}

/** The server's responses by path. */
let answers: Record<string, unknown> = {}

const browserFetch = window.fetch
beforeEach(() => {
  answers = {}
  window.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(new Request(input).url)
    if (pathname === `/api/orders/${ORDER_ID}`)
      return Response.json({ order_number: 'PO-00007', due_at: '2026-12-24T12:00:00Z' })
    const rows = answers[pathname]
    // The response with the first page has a link to the second page.
    if (rows instanceof Pages) return rows.answer(pathname, searchParams.get('cursor'))
    if (rows) return Response.json(rows)
    if (pathname.startsWith('/api/')) return Response.json([])
    return browserFetch(input, init)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('a print job for an order names the order and gets its due date', async () => {
  const request = { itemId: '', modelId: '', orderId: ORDER_ID, quantity: '2' }
  const screen = await render(
    <Providers>
      <AddJobDialog request={request} onClose={() => undefined} onShow={() => undefined} />
    </Providers>,
  )
  const dialog = screen.getByRole('dialog', { name: 'Add Job' })
  await expect.element(dialog.getByText('For order PO-00007')).toBeVisible()
  await expect.element(dialog.getByLabelText('Due')).toHaveValue('2026-12-24')
  await expect.element(dialog.getByLabelText('Quantity')).toHaveValue('2')
})

/** Opens the dialog for four pieces of the item. */
async function showSpider(slices: object[] | Pages) {
  const modelId = slices instanceof Pages || slices.length > 0 ? 'model' : null
  answers = {
    [`/api/inventory/${ITEM.id}`]: { ...ITEM, stl_file_id: modelId },
    '/api/stl-files/model/slices': slices,
  }
  const request = { itemId: ITEM.id, modelId: '', orderId: '', quantity: '4' }
  const screen = await render(
    <Providers>
      <AddJobDialog request={request} onClose={() => undefined} onShow={() => undefined} />
    </Providers>,
  )
  return screen.getByRole('dialog', { name: 'Add Job' })
}

it('a job without a sliced file shows the time of its item, and proposes the pieces per print', async () => {
  const dialog = await showSpider([])
  await expect.element(dialog.getByText('≈ 2 h 00 min from the print time of the item')).toBeVisible()
  await expect.element(dialog.getByText('≈ 120 g from the weight of the item')).toBeVisible()
  const pieces = dialog.getByLabelText('Pieces per plate')
  await expect.element(pieces).toHaveValue('2')
  await pieces.fill('')
  await expect.element(pieces).toHaveValue('')
})

it('a job shows the figures of the sliced file, and says that the item contradicts them', async () => {
  const dialog = await showSpider([{ ...FILE, id: 'old', is_outdated: true, minutes: 5 }, FILE])
  await expect.element(dialog.getByText('≈ 4 h 52 min from the sliced file')).toBeVisible()
  await expect.element(dialog.getByText('≈ 80 g from the sliced file')).toBeVisible()
  await expect.element(dialog.getByLabelText('Pieces per plate')).toHaveValue('')
  const sentence =
    'spider.gcode prints 1 piece in 1 h 13 min, but the item says 2 pieces in 1 h 00 min. The sliced file counts.'
  await expect.element(dialog.getByText(sentence)).toBeVisible()
})

it('the pieces of one print are proposed only if the job needs more pieces', async () => {
  const dialog = await showSpider([{ ...FILE, pieces: 3 }])
  const pieces = dialog.getByLabelText('Pieces per plate')
  await expect.element(pieces).toHaveValue('3')
  await dialog.getByLabelText('Quantity').fill('3')
  await expect.element(pieces).toHaveValue('')
  await dialog.getByLabelText('Quantity').fill('1')
  await expect.element(pieces).toHaveValue('')
  await dialog.getByLabelText('Quantity').fill('5')
  await expect.element(pieces).toHaveValue('3')
})

it('the figures of a job count the plates of its file that are on a later page of the list', async () => {
  const plate = { ...FILE, sha256: 'a', stl_version: 1, needs_all_plates: true }
  const dialog = await showSpider(new Pages([plate], [{ ...plate, id: 'second', grams: 5, minutes: 7 }]))
  await expect.element(dialog.getByText('≈ 5 h 20 min from the sliced file')).toBeVisible()
  await expect.element(dialog.getByText('≈ 100 g from the sliced file')).toBeVisible()
})

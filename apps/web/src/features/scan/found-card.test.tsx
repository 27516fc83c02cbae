import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { keepPick } from '@/components/picking/kept-picks.ts'
import { setEntryOwner } from '@/lib/session/account-entry.ts'
import { Providers } from '../../../gallery/providers.tsx'
import { FoundCard } from './found-card.tsx'
import { clearCounted } from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const printer: ScannedOf<'printer'> = {
  kind: 'printer',
  id: ID,
  code: 'P-001',
  title: 'Mini',
  thumbnail_path: null,
  color_hex: null,
  actions: ['open', 'clear', 'load', 'maintenance'],
  facts: {
    model: null,
    printer_kind: 'manual',
    state: 'needs_clearing',
    state_reason: null,
    location: null,
    job_code: 'J-00001',
    plate: { id: ID, number: 1, pieces: 4, note: null },
    slots: 0,
    loaded: null,
    loaded_spools: [],
    next_slot: null,
  },
}

const browserFetch = window.fetch
const sent: unknown[] = []
beforeEach(() => {
  sent.length = 0
  window.fetch = async (_, init) => {
    sent.push(await new Response(init?.body ?? null).json())
    return Response.json({})
  }
})
afterEach(() => {
  setEntryOwner(null)
  window.fetch = browserFetch
})

/** Shows a scanned printer, print job or order. */
const show = (found: ScannedOf<'order' | 'printer' | 'print_job'>) => {
  const idle: Partial<Scan> = {
    isBusy: false,
    loading: null,
    setLoading: () => undefined,
    act: (work) =>
      work().then(
        () => true,
        () => false,
      ),
  }
  return render(
    <Providers>
      <FoundCard
        found={found}
        scan={idle as Scan}
        address="/"
        printAddress={() => '/'}
        orderStepAddress={() => '/'}
        onLeave={() => undefined}
      />
    </Providers>,
  )
}

it('the card of a scanned printer asks for the good and rejected pieces of its plate before the plate is cleared', async () => {
  await show(printer)
  await expect.element(page.getByText(/Needs clearing/)).toBeVisible()
  const [good, rejected] = [page.getByLabelText('Good'), page.getByLabelText('Rejected')]
  await expect.element(good).toHaveValue('4')
  await expect.element(rejected).toHaveValue('0')
  await rejected.fill('1')
  await expect.element(good).toHaveValue('3')
  await page.getByLabelText('Reason for rejection').fill('Warped')
  await page.getByRole('button', { name: 'Clear the plate' }).click()
  await expect
    .poll(() => sent)
    .toEqual([{ plate_id: ID, good_quantity: 3, rejected_quantity: 1, reason: 'Warped' }])
})

it('a cleared plate is reported with its rejected pieces, and can be undone while it is the last of its job', async () => {
  const requests: string[] = []
  let canUndo = true
  window.fetch = (input, init) => {
    const { pathname } = new URL(new Request(input).url)
    requests.push(`${init?.method ?? 'GET'} ${pathname}`)
    if (pathname === '/api/scan') return Promise.resolve(Response.json({ found: aJob(true) }))
    return Promise.resolve(Response.json(pathname.endsWith('/plates') ? [{ id: ID, can_undo: canUndo }] : {}))
  }
  const { what, undo } = await clearCounted(printer, { good: 3, rejected: 1 })
  expect(what).toBe('plate cleared, 3 good, 1 rejected')
  await undo?.()
  expect(requests.slice(1)).toEqual([
    'GET /api/scan',
    `GET /api/print-queue/${ID}/plates`,
    `POST /api/print-queue/${ID}/undo`,
  ])
  canUndo = false
  await expect(undo?.()).rejects.toThrow('Undo is no longer possible.')
  expect((await clearCounted(printer, { good: 4, rejected: 0 })).what).toBe('plate cleared, 4 good')
})

it('the undo of a cleared plate says that its job no longer exists', async () => {
  window.fetch = (input) =>
    Promise.resolve(
      Response.json(new URL(new Request(input).url).pathname === '/api/scan' ? { found: null } : {}),
    )
  const { undo } = await clearCounted(printer, { good: 4, rejected: 0 })
  await expect(undo?.()).rejects.toThrow('The job J-00001 no longer exists. Undo is no longer possible.')
})

const NOTE = 'The server did not see the end of this print. Check the pieces.'

it.each([
  ['printer', 'Clear the plate', { plate_id: ID, good_quantity: 3, rejected_quantity: 1 }],
  ['job', 'Complete', { plate_id: ID, good_quantity: 3, rejected_quantity: 1, cleared: false }],
])(
  'the card of a scanned %s asks for the counts if the pieces have to be checked, and says why',
  async (kind, name, body) => {
    const facts = {
      ...printer.facts,
      state_reason: NOTE,
      plate: { id: ID, number: 1, pieces: 4, note: NOTE },
    }
    await show(kind === 'printer' ? { ...printer, facts } : aJob(false, NOTE))
    await expect.element(page.getByText(`${NOTE} Of 4 on the plate`)).toBeVisible()
    const [good, rejected] = [page.getByLabelText('Good'), page.getByLabelText('Rejected')]
    await expect.element(good).toHaveValue('')
    await expect.element(rejected).toHaveValue('')
    const button = page.getByRole('button', { name, exact: true })
    await expect.element(button).toBeDisabled()
    await good.fill('3')
    await expect.element(rejected).toHaveValue('1')
    await button.click()
    await expect.poll(() => sent).toEqual([body])
  },
)

it('the card of a scanned printer names the material and the color of its spools', async () => {
  const spool = { code: 'S-0104', material: 'PLA', color: 'Red', color_hex: '#cc0000' }
  await show({ ...printer, facts: { ...printer.facts, loaded: 'S-0104', loaded_spools: [spool] } })
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'S-0104' }))
    .toHaveTextContent('PLA RedS-0104')
})

it('the card of a scanned printer without a plate asks for no pieces', async () => {
  await show({ ...printer, facts: { ...printer.facts, plate: null } })
  await expect.element(page.getByRole('button', { name: 'Clear the plate' })).toBeEnabled()
  await expect.element(page.getByLabelText('Good')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Clear the plate' }).click()
  await expect.poll(() => sent).toEqual([{ plate_id: null }])
})

const aPlate = (isByHand: boolean, note: string | null) => ({
  id: ID,
  number: 1,
  pieces: 4,
  printer: 'Mini',
  can_complete: true,
  is_by_hand: isByHand,
  note,
})
const aJob = (isByHand: boolean, note: string | null = null): ScannedOf<'print_job'> => ({
  kind: 'print_job',
  id: ID,
  code: 'J-00001',
  title: 'Hook',
  thumbnail_path: null,
  color_hex: null,
  actions: ['open', 'complete', 'fail', 'hold', 'requeue', 'cancel'],
  facts: {
    status: 'in_progress',
    quantity: 4,
    good_quantity: 0,
    rejected_quantity: 0,
    priority: 3,
    order_number: null,
    due_at: null,
    plates: [aPlate(isByHand, note)],
  },
})

it.each([
  ['Requeue', { used_grams: 12.5, print_minutes: 9 }],
  ['Hold', { used_grams: 12.5, print_minutes: 9 }],
  ['Cancel job', { used_grams: 12.5, print_minutes: 9 }],
  ['Failed', { reason: 'Did not stick to the bed', used_grams: 12.5, print_minutes: 9, plate_id: ID }],
  ['Complete', { good_quantity: 4, rejected_quantity: 0, used_grams: 12.5, print_minutes: 9, plate_id: ID }],
])('on the card of a scanned job, %s sends the entered filament and time', async (name, body) => {
  await show(aJob(true))
  const button = page.getByRole('button', { name, exact: true })
  await page.getByLabelText('Filament used').fill('many')
  await expect.element(button).toBeDisabled()
  await page.getByLabelText('Filament used').fill('12,5')
  await page.getByLabelText('Print time').fill('9')
  await button.click()
  await expect.poll(() => sent).toEqual([body])
})

it('the card of a scanned job asks for no filament if a network printer prints its plate', async () => {
  await show(aJob(false))
  await expect.element(page.getByRole('button', { name: 'Requeue' })).toBeEnabled()
  await expect.element(page.getByLabelText('Filament used')).not.toBeInTheDocument()
})

it('the card of a scanned job asks whether the plate of a network printer is off the bed', async () => {
  await show(aJob(false))
  const counted = { good_quantity: 4, rejected_quantity: 0, plate_id: ID }
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect.poll(() => sent).toEqual([{ ...counted, cleared: false }])
  await page.getByLabelText('The plate is off the bed').click()
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect.poll(() => sent).toHaveLength(2)
  expect(sent[1]).toEqual({ ...counted, cleared: true })
})

it('a start repeated on the card of a scanned job has the same idempotency key, so only one plate starts', async () => {
  const keys: (string | null)[] = []
  window.fetch = (_, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    return keys.length === 1
      ? Promise.reject(new TypeError('The answer was lost.'))
      : Promise.resolve(Response.json({}))
  }
  const job = aJob(true)
  await show({ ...job, actions: ['open', 'start'], facts: { ...job.facts, status: 'pending', plates: [] } })
  const start = page.getByRole('button', { name: 'Start', exact: true })
  for (const times of [1, 2, 3]) {
    await start.click()
    await expect.poll(() => keys).toHaveLength(times)
  }
  expect(keys[0]).toEqual(expect.any(String))
  expect([keys[1] === keys[0], keys[2] === keys[1]]).toEqual([true, false])
})

it('the card of a scanned order lists its first lines with the shipped, reserved and picked pieces', async () => {
  setEntryOwner('somebody')
  keepPick(ID, { picked: { HOOK: 1, VASE: 3 }, lastShipment: 0 })
  const aLine = (sku: string, more: object = {}) => ({
    id: sku,
    sku,
    name: `A ${sku}`,
    quantity: 3,
    shipped_quantity: 0,
    reserved_quantity: 0,
    is_set: false,
    parts: [],
    ...more,
  })
  const first = aLine('HOOK', { shipped_quantity: 1, reserved_quantity: 2 })
  window.fetch = () =>
    Promise.resolve(
      Response.json({
        id: ID,
        items: [first, ...['EGG', 'VASE', 'BIN', 'NEST'].map((sku) => aLine(sku))],
        shipments: [],
      }),
    )
  await show({
    kind: 'order',
    id: ID,
    code: 'O-1',
    title: 'PO-1',
    thumbnail_path: null,
    color_hex: null,
    actions: ['open'],
    facts: { customer_name: 'Ada', status: 'in_progress', due_at: null },
  })
  const lines = page.getByRole('list', { name: 'Lines' }).getByRole('listitem')
  await expect.element(lines.first()).toHaveTextContent('3 ×HOOK A HOOK1 shipped · 2 reserved · 1 picked')
  await expect.element(page.getByText('4 of 14 pieces picked')).toBeVisible()
  expect(lines.elements().map(({ textContent }) => textContent?.match(/[A-Z]{3,}|1 more line/)?.[0])).toEqual(
    ['HOOK', 'EGG', 'VASE', 'BIN', '1 more line'],
  )
})

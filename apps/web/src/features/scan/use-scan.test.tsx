import { useQueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { useScan } from './use-scan.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const OTHER_ID = '01890000-0000-7000-8000-000000000001'
const CHANGED = 'Slot 1 holds S-00007 (PLA) now. It was changed in the meantime.'

const browserFetch = window.fetch
const { createOscillator } = AudioContext.prototype
const sent: unknown[] = []
/** The paths that were requested. */
const requested: string[] = []
const tones: OscillatorNode[] = []
/** The spool in the slot of the printer. */
let inSlot: string | null = null
let state = 'available'
/** The color of the job that the printer prints. */
let printed = 'Green'
/** The response with the lines of the order. */
let orderLines = Promise.withResolvers<Response>()
beforeEach(() => {
  sent.length = 0
  requested.length = 0
  tones.length = 0
  printed = 'Green'
  orderLines = Promise.withResolvers()
  AudioContext.prototype.createOscillator = function record(this: AudioContext) {
    const tone = createOscillator.call(this)
    tones.push(tone)
    return tone
  }
  inSlot = null
  state = 'available'
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.origin)
    requested.push(url.pathname)
    if (url.pathname === '/api/stl-files') return Response.json([])
    if (url.pathname === `/api/print-queue/${ID}`)
      return Response.json({ material: 'PLA', color: printed, match_strictness: 'exact' })
    if (url.pathname === '/api/scan') {
      const code = url.searchParams.get('code')
      if (code === 'NOPE') return Response.json({ found: null })
      if (code === 'O-1') return Response.json({ found: { kind: 'order', id: ID, code, title: 'PO-1' } })
      if (code === 'J-1') return Response.json({ found: { kind: 'print_job', id: ID, code } })
      const isSpool = code === 'S-1'
      const next = { slot: 1, filament_id: inSlot }
      const facts = isSpool
        ? { material: 'PLA', color: 'Red' }
        : { state, job_code: 'J-1', slots: 1, next_slot: next }
      const kind = isSpool ? 'spool' : 'printer'
      return Response.json({ found: { kind, id: ID, code: isSpool ? 'S-1' : 'P-1', title: kind, facts } })
    }
    if (url.pathname === `/api/orders/${ID}`) return orderLines.promise
    const body = await new Response(init?.body ?? null).json()
    sent.push(body)
    return body.replaces === inSlot
      ? Response.json({ slots: [] })
      : Response.json({ detail: CHANGED, filament_id: inSlot }, { status: 412 })
  }
})
afterEach(() => {
  window.fetch = browserFetch
  AudioContext.prototype.createOscillator = createOscillator
})

/** The pitches of the tones that were played since the last call, in hertz. */
const playedTones = (): number[] => tones.splice(0).map(({ frequency }) => frequency.value)

function Scanner() {
  const { scan, isBusy, found, setLoading, problem, actions, doubtful, loadAnyway } = useScan()
  const queryClient = useQueryClient()
  return (
    <>
      <button onClick={() => void queryClient.invalidateQueries({ queryKey: ['scan'] })}>Event</button>
      {doubtful ? <button onClick={() => void loadAnyway(doubtful)}>{doubtful.warning}</button> : null}
      <p>{found?.kind === 'printer' ? found.facts.state : null}</p>
      <button onClick={() => void scan('P-1')}>Printer</button>
      <button onClick={() => found?.kind === 'printer' && setLoading(found)}>Load</button>
      <button onClick={() => void scan('S-1')}>Spool</button>
      <button onClick={() => void scan('O-1')}>{isBusy ? 'Reading' : 'Order'}</button>
      <button onClick={() => void scan('NOPE')}>Unknown</button>
      <p>{found?.title}</p>
      <p>{problem}</p>
      <p>{actions[0]?.what}</p>
    </>
  )
}

it('the scanned object follows the changes that other people make', async () => {
  state = 'needs_clearing'
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  await page.getByRole('button', { name: 'Printer' }).click()
  await expect.element(page.getByText('needs_clearing')).toBeVisible()
  state = 'available'
  await page.getByRole('button', { name: 'Event' }).click()
  await expect.element(page.getByText('available')).toBeVisible()
})

it('after a scan of an unknown code, the previous object and its actions are gone', async () => {
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  await page.getByRole('button', { name: 'Printer' }).click()
  await expect.element(page.getByText('available')).toBeVisible()
  await page.getByRole('button', { name: 'Unknown' }).click()
  await expect.element(page.getByText(/has the code or name “NOPE”/)).toBeVisible()
  await expect.element(page.getByText('available')).not.toBeInTheDocument()
})

it('a spool of another color than the running print is loaded only after a confirmation', async () => {
  state = 'printing'
  inSlot = OTHER_ID
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  await page.getByRole('button', { name: 'Printer' }).click()
  await expect.element(page.getByText('printing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByRole('button', { name: 'Spool' }).click()
  const warning = page.getByRole('button', {
    name: '“printer” is printing J-1 with PLA Green. S-1 is PLA Red.',
  })
  await expect.element(warning).toBeVisible()
  expect(sent).toEqual([])
  await warning.click()
  await expect.element(page.getByText('loaded S-1')).toBeVisible()
  expect(sent).toEqual([{ filament_id: ID, slot: 1, replaces: OTHER_ID }])
})

it('a scan that asks whether to load the spool has its own tone', async () => {
  state = 'printing'
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
  await press('Printer')
  await expect.element(page.getByText('printing', { exact: true })).toBeVisible()
  await expect.poll(playedTones).toEqual([1760])
  await press('Load')
  await press('Spool')
  await expect.element(page.getByRole('button', { name: /S-1 is PLA Red/ })).toBeVisible()
  await expect.poll(playedTones).toEqual([660, 880])
  await press('Unknown')
  await expect.poll(playedTones).toEqual([220, 196])
})

it('a spool is compared with the print that the printer has started since it was scanned', async () => {
  inSlot = OTHER_ID
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
  await press('Printer')
  await expect.element(page.getByText('available')).toBeVisible()
  await press('Load')
  state = 'printing'
  await press('Spool')
  await expect.element(page.getByRole('button', { name: /PLA Green/ })).toBeVisible()
  expect(sent).toEqual([])
  // The printer starts another job before the person answers.
  printed = 'Black'
  await press(/PLA Green/)
  await expect.element(page.getByRole('button', { name: /PLA Black/ })).toBeVisible()
  expect(sent).toEqual([])
  await press(/PLA Black/)
  await expect.element(page.getByText('loaded S-1')).toBeVisible()
  expect(sent).toEqual([{ filament_id: ID, slot: 1, replaces: OTHER_ID }])
})

it('a scanned spool is not loaded over a spool that nobody has seen, but the next scan loads it', async () => {
  await render(
    <Providers>
      <Scanner />
    </Providers>,
  )
  const press = (name: string) => page.getByRole('button', { name }).click()
  await press('Printer')
  await expect.element(page.getByText('printer')).toBeVisible()
  await press('Load')
  inSlot = OTHER_ID
  await press('Spool')
  await expect.element(page.getByText(CHANGED)).toBeVisible()
  await press('Spool')
  await expect.element(page.getByText('loaded S-1')).toBeVisible()
  const load = { filament_id: ID, slot: 1 }
  expect(sent).toEqual([
    { ...load, replaces: null },
    { ...load, replaces: OTHER_ID },
  ])
})

it.each([200, 500])(
  'a scanned order is shown once the response with its lines has arrived, even with the status %i',
  async (status) => {
    await render(
      <Providers>
        <Scanner />
      </Providers>,
    )
    await page.getByRole('button', { name: 'Order' }).click()
    await expect.element(page.getByRole('button', { name: 'Reading' })).toBeVisible()
    await expect.poll(() => requested).toContain(`/api/orders/${ID}`)
    await expect.element(page.getByText('PO-1')).not.toBeInTheDocument()
    orderLines.resolve(Response.json({ items: [] }, { status }))
    await expect.element(page.getByText('PO-1')).toBeVisible()
  },
)

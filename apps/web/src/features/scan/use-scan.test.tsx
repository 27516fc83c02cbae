import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { useScan } from './use-scan.ts'

const ID = '01890000-0000-7000-8000-000000000000'
const OTHER_ID = '01890000-0000-7000-8000-000000000001'
const CHANGED = 'Slot 1 holds S-00007 (PLA) now. It was changed in the meantime.'

const browserFetch = window.fetch
const sent: unknown[] = []
/** The spool in the slot of the printer. */
let inSlot: string | null = null
beforeEach(() => {
  sent.length = 0
  inSlot = null
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.origin)
    if (url.pathname === '/api/scan') {
      const isSpool = url.searchParams.get('code') === 'S-1'
      const facts = isSpool ? {} : { next_slot: { slot: 1, filament_id: inSlot } }
      const kind = isSpool ? 'spool' : 'printer'
      return Response.json({ found: { kind, id: ID, code: isSpool ? 'S-1' : 'P-1', title: kind, facts } })
    }
    const body = await new Response(init?.body ?? null).json()
    sent.push(body)
    return body.replaces === inSlot
      ? Response.json({ slots: [] })
      : Response.json({ detail: CHANGED, filament_id: inSlot }, { status: 412 })
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

function Scanner() {
  const { scan, found, setLoading, problem, actions } = useScan()
  return (
    <>
      <button onClick={() => void scan('P-1')}>Printer</button>
      <button onClick={() => found?.kind === 'printer' && setLoading(found)}>Load</button>
      <button onClick={() => void scan('S-1')}>Spool</button>
      <p>{found?.title}</p>
      <p>{problem}</p>
      <p>{actions[0]?.what}</p>
    </>
  )
}

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

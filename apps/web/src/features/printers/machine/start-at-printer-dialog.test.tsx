import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { StartAtPrinterDialog } from './start-at-printer-dialog.tsx'

const PRINTER: object = {
  id: 'printer',
  name: 'Ender',
  slots: [{ slot: 1, filament_id: 'spool' }],
  next_job: { id: 'job', label_code: 'J-00001', name: 'Hook' },
  proposed_job: null,
}

const browserFetch = window.fetch
/** The Idempotency-Key of each start that was sent. */
const keys: (string | null)[] = []
beforeEach(() => {
  keys.length = 0
  window.fetch = (input, init) => {
    if (!String(input instanceof Request ? input.url : input).endsWith('/start'))
      return Promise.resolve(Response.json([]))
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    return Promise.reject(new TypeError('The answer was lost.'))
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('a start at a printer that is repeated after a lost response has the same idempotency key', async () => {
  const screen = await render(
    <Providers>
      <StartAtPrinterDialog printer={PRINTER as Printer} onClose={() => undefined} />
    </Providers>,
  )
  const start = screen.getByRole('button', { name: 'Start' })
  for (const times of [1, 2]) {
    await start.click()
    await expect.poll(() => keys).toHaveLength(times)
  }
  expect(keys).toEqual([expect.any(String), keys[0]])
})

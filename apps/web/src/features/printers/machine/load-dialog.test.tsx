import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { LoadDialog } from './load-dialog.tsx'

const PRINTER: object = { id: 'mini', name: 'Mini', slots: [{ slot: 1, filament_id: null }] }
const SPOOL = { label_code: 'S-00001', material: 'PLA', color: 'Red', remaining_grams: 500 }

const browserFetch = window.fetch
beforeEach(() => {
  window.fetch = (input) => {
    const { pathname, searchParams } = new URL(
      input instanceof Request ? input.url : String(input),
      location.origin,
    )
    const spools = ['loaded', 'free'].map((id) => ({ ...SPOOL, id, label_code: `S-${id}` }))
    if (pathname === '/api/filament') return Promise.resolve(Response.json(spools))
    const isLoaded = searchParams.get('filament_id') === 'loaded'
    return Promise.resolve(Response.json(isLoaded ? [{ id: 'ender', name: 'Ender' }] : []))
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('the dialog that loads a spool says in which other printer the chosen spool is loaded', async () => {
  const screen = await render(
    <Providers>
      <LoadDialog printer={PRINTER as Printer} onClose={() => undefined} />
    </Providers>,
  )
  const spool = screen.getByLabelText('Spool')
  await spool.selectOptions('loaded')
  await expect.element(spool).toHaveAccessibleDescription('Now in Ender. Loading moves it.')
  await spool.selectOptions('free')
  await expect.element(spool).toHaveAccessibleDescription('Or scan the spool, then the printer, with Scan')
})

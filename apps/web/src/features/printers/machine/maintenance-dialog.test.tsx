import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { MaintenanceDialog } from './maintenance-dialog.tsx'

const PRINTER: object = { id: 'printer', name: 'Ender' }

it('the maintenance of a printer cannot end on a day in the past', async () => {
  const screen = await render(
    <Providers>
      <MaintenanceDialog printer={PRINTER as Printer} onClose={() => undefined} />
    </Providers>,
  )
  await screen.getByLabelText('Until').fill('2026-01-01')
  await userEvent.click(screen.getByRole('button', { name: 'Take out of use' }))
  await expect
    .element(screen.getByLabelText('Until'))
    .toHaveAccessibleDescription('Enter today or a later day.')
})

import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { type PrintFailure, PrintFailureDialog } from './print-failure-dialog.tsx'

it('the dialog of a failed print asks for the good and rejected pieces if the printer has failed, and sends them', async () => {
  const sent: PrintFailure[] = []
  const dialog = (lostPieces?: number) => (
    <Providers>
      <PrintFailureDialog
        title="Failed"
        lostPieces={lostPieces}
        filamentHint={null}
        onFail={async (failure) => void sent.push(failure)}
        onClose={() => undefined}
      >
        Wall hook
      </PrintFailureDialog>
    </Providers>
  )
  const screen = await render(dialog())
  await expect.element(page.getByLabelText('Reason')).toBeVisible()
  expect(page.getByLabelText('Good').elements()).toEqual([])
  await screen.rerender(dialog(4))
  await expect.element(page.getByText(/Of 4\spieces; the rest is missing/)).toBeVisible()
  await page.getByLabelText('Reason').fill('Power failure')
  await page.getByLabelText('Good').fill('2')
  await page.getByLabelText('Rejected').fill('1')
  await page.getByRole('button', { name: 'Mark as failed' }).click()
  await expect.poll(() => sent).toEqual([{ reason: 'Power failure', good_quantity: 2, rejected_quantity: 1 }])
})

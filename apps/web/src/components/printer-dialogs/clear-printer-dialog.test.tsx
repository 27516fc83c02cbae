import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { ClearPrinterDialog } from './clear-printer-dialog.tsx'

const NOTE = 'The server did not see the end of this print. Check the pieces.'

const show = (note: string | null) => {
  const job = { name: 'Hook', label_code: 'J-0007', plate_id: 'plate', pieces: 4, note }
  const printer = { id: 'mk4', name: 'MK4', state_reason: note ?? 'Plate 1 is printed.', current_job: job }
  const ignore = () => undefined
  return render(
    <Providers>
      <ClearPrinterDialog printer={printer} onClear={ignore} onClose={ignore} />
    </Providers>,
  )
}

it('the dialog to clear a bed says why, and counts the pieces of an ordinary print as good', async () => {
  await show(null)
  await expect.element(page.getByText('Plate 1 is printed.')).toBeVisible()
  await expect.element(page.getByLabelText('Good')).toHaveValue('4')
})

it('the dialog to clear a bed asks for the counts if the pieces have to be checked', async () => {
  await show(NOTE)
  await expect.element(page.getByText(NOTE)).toBeVisible()
  await expect.element(page.getByLabelText('Good')).toHaveValue('')
  await page.getByRole('button', { name: 'Plate is off' }).click()
  await expect.element(page.getByLabelText('Good')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabelText('Good').fill('3')
  await expect.element(page.getByLabelText('Rejected')).toHaveValue('1')
})

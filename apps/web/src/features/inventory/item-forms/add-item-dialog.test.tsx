import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { AddItemDialog } from './add-item-dialog.tsx'

it('a maximum stock below the reorder point shows a warning', async () => {
  const screen = await render(
    <Providers>
      <AddItemDialog onClose={() => undefined} />
    </Providers>,
  )
  const warning = screen.getByText('Less than the reorder point: the stock would always be low')
  await userEvent.fill(screen.getByLabelText('Reorder point'), '200')
  await expect.element(warning).toBeVisible()
  await userEvent.fill(screen.getByLabelText('Max stock'), '300')
  await expect.element(warning).not.toBeInTheDocument()
})

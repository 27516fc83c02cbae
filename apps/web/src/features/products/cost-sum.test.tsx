import type { ProductCost } from '@pegasus/contracts/products/setup'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { CostSum } from './cost-sum.tsx'

it('a cost that counts one plate of an undecided file says so, although its calculation is closed', async () => {
  const slice = { id: 'slice', file_name: 'hook.gcode.3mf', fields: [] }
  // The object has only the fields that the calculation reads.
  const costOf = (isProvisional: boolean): object => ({
    basis: 'models',
    lines: [],
    unit_cost: 2.74,
    sliced_from: [{ ...slice, is_provisional: isProvisional }],
    assumptions: [],
  })
  const screen = await render(<CostSum cost={costOf(true) as ProductCost} />, { wrapper: Providers })
  const note = screen.getByText(/This sum is provisional\. .* all plates of hook\.gcode\.3mf\./)
  await expect.element(note).toBeVisible()
  await screen.rerender(<CostSum cost={costOf(false) as ProductCost} />)
  await expect.element(note).not.toBeInTheDocument()
})

import type { ProductCost, ProductReview } from '@pegasus/contracts/products/setup'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { CostSum } from './cost-sum.tsx'
import { EMPTY_FORM } from './product-form/product-form.ts'
import { ReviewStep } from './wizard/review-step.tsx'

// The object has only the fields that the screens read.
const costOf = (isProvisional: boolean): object => ({
  basis: 'models',
  lines: [],
  unit_cost: 2.74,
  sliced_from: [{ id: 'slice', file_name: 'hook.gcode.3mf', fields: [], is_provisional: isProvisional }],
  assumptions: [],
})

it('a cost that counts one plate of an undecided file says so, although its calculation is closed', async () => {
  const screen = await render(<CostSum cost={costOf(true) as ProductCost} />, { wrapper: Providers })
  const note = screen.getByText(/This sum is provisional\. .* all plates of hook\.gcode\.3mf\./)
  await expect.element(note).toBeVisible()
  await screen.rerender(<CostSum cost={costOf(false) as ProductCost} />)
  await expect.element(note).not.toBeInTheDocument()
})

it('the last step of the wizard says that the margin comes from a provisional cost', async () => {
  const reviewOf = (isProvisional: boolean): object => ({
    cost: 2.74,
    cost_sheet: costOf(isProvisional),
    license_verdict: 'own',
    attributions: [],
  })
  const step = (isProvisional: boolean) => (
    <ReviewStep
      form={{ ...EMPTY_FORM, price: '10' }}
      review={reviewOf(isProvisional) as ProductReview}
      onStep={() => undefined}
      reason=""
      onReason={() => undefined}
    />
  )
  const screen = await render(step(true), { wrapper: Providers })
  await expect.element(screen.getByText(/margin 72\.6/)).toBeVisible()
  const note = screen.getByText(/This sum is provisional\. .* all plates of hook\.gcode\.3mf\./)
  await expect.element(note).toBeVisible()
  await screen.rerender(step(false))
  await expect.element(note).not.toBeInTheDocument()
})

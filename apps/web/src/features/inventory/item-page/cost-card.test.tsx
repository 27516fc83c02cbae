import type { ItemCost } from '@pegasus/contracts/inventory/costs'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { CostCard } from './cost-card.tsx'

// The objects have only the fields that the card reads.
const ITEM = { id: 'hook' } as InventoryItem
const COST = {
  lines: [],
  missing: [],
  sliced_from: [],
  unit_cost: 2.74,
  suggested_price: 5,
  selling_price: 12.5,
  profit: 9.76,
  margin_percent: 78.1,
  markup_percent: 356,
  saved: null,
} as unknown as ItemCost

const browserFetch = window.fetch
let cost: ItemCost
beforeEach(() => {
  window.fetch = async (input, init) =>
    new Request(input).url.endsWith('/api/inventory/hook/cost')
      ? Response.json(cost)
      : browserFetch(input, init)
})
afterEach(() => {
  window.fetch = browserFetch
})

it('the cost card states the profit of an item whose weight and print time are known', async () => {
  cost = COST
  const screen = await render(<CostCard item={ITEM} />, { wrapper: Providers })
  await expect.element(screen.getByText('$9.76', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('margin 78.1 %, markup 356 %')).toBeVisible()
})

it('the cost card names the sliced file that states the weight and the print time', async () => {
  const source = { id: 'slice', file_name: 'hook.gcode', is_provisional: false }
  const note = /This sum is provisional\. .* all plates of hook\.gcode\./
  cost = { ...COST, sliced_from: [{ ...source, fields: ['weight_grams', 'print_time_minutes'] }] }
  const both = await render(<CostCard item={ITEM} />, { wrapper: Providers })
  await expect
    .element(both.getByText('Weight and print time are those of the sliced file hook.gcode.'))
    .toBeVisible()
  await both.unmount()
  cost = { ...COST, sliced_from: [{ ...source, fields: ['weight_grams'] }] }
  const weight = await render(<CostCard item={ITEM} />, { wrapper: Providers })
  await expect.element(weight.getByText('The weight is that of the sliced file hook.gcode.')).toBeVisible()
  expect(weight.getByText(note).elements()).toEqual([])
  await weight.unmount()
  // Nobody has decided whether one piece needs all plates of the file.
  cost = { ...COST, sliced_from: [{ ...source, is_provisional: true, fields: ['weight_grams'] }] }
  const undecided = await render(<CostCard item={ITEM} />, { wrapper: Providers })
  await expect.element(undecided.getByText(note)).toBeVisible()
  await expect.element(undecided.getByText('at most $9.76')).toBeVisible()
  expect(undecided.container.textContent).not.toContain('margin')
})

it('without weight and print time, the cost card shows the profit as a maximum, and says where to enter them', async () => {
  cost = { ...COST, missing: ['weight_grams', 'print_time_minutes'] }
  const screen = await render(<CostCard item={ITEM} />, { wrapper: Providers })
  await expect.element(screen.getByText('at most $9.76')).toBeVisible()
  await expect
    .element(
      screen.getByText('Without its weight and print time, the sum is incomplete. Enter them with Edit.'),
    )
    .toBeVisible()
  expect(screen.container.textContent).not.toContain('margin')
})

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

it('the cost card calls the profit the most that is possible without weight and print time, and says where to enter them', async () => {
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

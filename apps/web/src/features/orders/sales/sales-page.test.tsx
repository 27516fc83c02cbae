import type { Sale, SalesRow } from '@pegasus/contracts/orders/sales'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useSearchParams } from 'react-router'
import { Providers } from '../../../../gallery/providers.tsx'
import { readSalesView } from '../orders-address.ts'
import { SalesPage } from './sales-page.tsx'

const FIGURES = {
  pieces: 6,
  returns: 0,
  revenue: 62.5,
  shipping_income: 0,
  cost: 0,
  fees: 0,
  postage: 0,
  margin: 62.5,
  pieces_without_cost: 6,
}
const KNOWN: SalesRow = {
  ...FIGURES,
  key: 'CUBE',
  label: 'Cube',
  orders: 1,
  cost: 12.5,
  margin: 50,
  pieces_without_cost: 0,
}
const UNKNOWN: SalesRow = { ...FIGURES, key: 'HOOK', label: 'Hook', orders: 1 }
const LINE: Sale = {
  ...FIGURES,
  at: '2026-11-25T12:00:00Z',
  order_id: '0198c0de-0000-7000-8000-000000000001',
  order_number: 'PO-1',
  sku: 'HOOK',
  name: 'Hook',
}

const browserFetch = window.fetch
let rows: SalesRow[]
beforeEach(() => {
  window.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input).url)
    if (pathname === '/api/reports/sales') return Response.json(rows)
    if (pathname === '/api/reports/sales/lines') return Response.json([LINE])
    return browserFetch(input, init)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

function Page() {
  const [params] = useSearchParams()
  const view = readSalesView(params) ?? { by: 'product' as const, from: '', to: '', row: '', figure: null }
  return <SalesPage view={view} />
}

it('the sales report states margin and share of products whose costs are known', async () => {
  rows = [KNOWN]
  const screen = await render(<Page />, { wrapper: Providers })
  await expect.element(screen.getByRole('button', { name: 'Margin of the period: $50.00' })).toBeVisible()
  await expect.element(screen.getByText('80 % of revenue')).toBeVisible()
  expect(screen.container.textContent).not.toContain('at most')
})

it('the sales report calls a margin the most that is possible while costs are unknown, and leads to the items', async () => {
  rows = [KNOWN, UNKNOWN]
  const screen = await render(<Page />, { wrapper: Providers })
  const sums = screen.getByRole('definition')
  await expect
    .element(sums.getByRole('button', { name: 'Margin of the period: at most $112.50' }))
    .toBeVisible()
  await expect
    .element(sums.getByRole('button', { name: 'Cost of the period: at least $12.50' }))
    .toBeVisible()
  expect(screen.container.textContent).not.toContain('of revenue')
  const known = screen.getByRole('row', { name: /Cube/ })
  const unknown = screen.getByRole('row', { name: /Hook/ })
  await expect.element(known.getByText('80 %')).toBeVisible()
  await expect.element(unknown.getByText('at most $62.50')).toBeVisible()
  expect(unknown.element().textContent).not.toContain('%')
  await expect.element(screen.getByText('Margin at most')).toBeVisible()

  await userEvent.click(screen.getByRole('button', { name: '6 of these pieces' }))
  await expect
    .element(screen.getByRole('link', { name: 'Enter its weight and print time' }))
    .toHaveAttribute('href', '/?tab=inventory&search=HOOK')
})

it('the sales report says that the first day must not be after the last day', async () => {
  const screen = await render(
    <Providers address="/?sales=month&from=2026-12-31&to=2026-01-01">
      <Page />
    </Providers>,
  )
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('The first day must not be after the last day.')
  await expect.element(screen.getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
  for (const label of ['From', 'To'])
    await expect.element(screen.getByText(label, { exact: true })).toBeVisible()
})

import type { Sale, SalesRow } from '@pegasus/contracts/orders/sales'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useSearchParams } from 'react-router'
import '@/styles/index.css'
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

it('the sales report says why the dashboard shows a different revenue', async () => {
  rows = [KNOWN]
  const screen = await render(
    <Providers>
      <Page />
    </Providers>,
  )
  await expect
    .element(screen.getByText(/^Pieces count on the day they are shipped\. The dashboard/))
    .toBeVisible()
  const period = screen.getByText(/ Without days, this report covers the last twelve months\.$/)
  await expect.element(period).toBeVisible()
  await screen.getByLabelText('From').fill('2026-01-01')
  await expect.element(period).not.toBeInTheDocument()
})

it('the sales report states margin and share of products whose costs are known', async () => {
  rows = [KNOWN]
  const screen = await render(<Page />, { wrapper: Providers })
  await expect.element(screen.getByRole('button', { name: 'Margin of the period: $50.00' })).toBeVisible()
  await expect.element(screen.getByText('80 % of revenue')).toBeVisible()
  expect(screen.container.textContent).not.toContain('at most')
})

it('while costs are unknown, the sales report shows the margin as a maximum, and links to the items', async () => {
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

it('a phone shows revenue, cost and margin of each row and of the period in full, also large ones', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1280, 800))
  rows = [
    {
      ...KNOWN,
      key: '2026-09',
      label: 'September 2026',
      revenue: 16_247.79,
      cost: 3089.08,
      margin: 13_156.41,
      pieces_without_cost: 10,
    },
    { ...KNOWN, key: '2026-10', label: 'October 2026', revenue: 15_374.51, cost: 3012.29, margin: 12_362.22 },
  ]
  const screen = await render(
    <Providers address="/?sales=month">
      <main className="px-4">
        <Page />
      </main>
    </Providers>,
  )
  const margin = screen.getByRole('button', { name: 'Margin of September 2026: at most $13,156.41' })
  await expect.element(margin).toBeVisible()
  for (const name of [
    'Cost of September 2026: at least $3,089.08',
    'Cost of the period: at least $6,101.37',
    'Margin of the period: at most $25,518.63',
  ])
    await expect.element(screen.getByRole('button', { name })).toBeVisible()
  const elements = [...screen.container.querySelectorAll('dd, dl, table')]
  const cut = elements.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  expect(cut.map(({ textContent }) => textContent)).toEqual([])
  expect(margin.element().getBoundingClientRect().right).toBeLessThan(390 - 2 * 16)
})

it('the sum of the lines shows the same figures as the row that was opened', async () => {
  rows = [{ ...KNOWN, shipping_income: 9.8, postage: 12.1, margin: 47.7 }]
  const screen = await render(<Page />, { wrapper: Providers })
  await userEvent.click(screen.getByRole('button', { name: 'Revenue of Cube: $62.50' }))
  const sum = screen.getByRole('row', { name: /^Sum/ })
  await expect.element(sum).toHaveTextContent('Sum60$62.50$9.80$12.50$0.00$12.10$47.70')

  await userEvent.click(screen.getByRole('button', { name: 'Postage of Cube: $12.10' }))
  await expect.element(sum).toHaveTextContent('Sum$12.10')
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

import '@/styles/index.css'
import type { Stats } from '@pegasus/contracts/stats'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'

const STATS: Stats = {
  total_files: 35,
  total_products: 4,
  total_inventory: 36,
  total_filaments: 34,
  total_orders: 643,
  pending_orders: 44,
  low_stock_items: 5,
  total_revenue: 43_934,
  currency: 'USD',
  files_this_week: 8,
  orders_this_week: 81,
  revenue_30_days: 13_000,
  revenue_previous_30_days: 10_000,
  out_of_stock_items: 2,
  low_stock_not_queued: 7,
  stock_value: 9780,
  orders_ready_to_pack: 28,
  print_queue_count: 23,
  print_jobs_pending: 18,
  print_jobs_in_progress: 5,
  print_jobs_on_hold: 0,
  next_print_done_at: null,
  filament_grams: 10_300,
}

const browserFetch = window.fetch
afterEach(async () => {
  window.fetch = browserFetch
  localStorage.removeItem('pegasus-ops-language')
  await page.viewport(1280, 800)
})

it('the change of the revenue is not cut in German, even in the narrowest strip of seven figures', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  window.fetch = (input) => {
    const isHistory = new Request(input).url.includes('history')
    return Promise.resolve(Response.json(isHistory ? { days: [], filament: [] } : STATS))
  }
  const { FigureStrip } = await import('./figure-strip.tsx')
  const { Providers } = await import('../../../gallery/providers.tsx')
  await page.viewport(1245, 800)
  const screen = await render(
    <Providers>
      <FigureStrip group="all" addressOf={() => '/'} />
    </Providers>,
  )
  const note = screen.getByText(/30 Tage: \+30,0/)
  await expect.element(note).toBeVisible()
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = note.element()
  expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight])
})

it('the labels of the figures are not cut in German on a phone, and their numbers stay in one line', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  window.fetch = (input) => {
    const isHistory = new Request(input).url.includes('history')
    return Promise.resolve(Response.json(isHistory ? { days: [], filament: [] } : STATS))
  }
  const { FigureStrip } = await import('./figure-strip.tsx')
  const { Providers } = await import('../../../gallery/providers.tsx')
  await page.viewport(360, 800)
  const screen = await render(
    <Providers>
      <FigureStrip group="work" addressOf={() => '/'} />
    </Providers>,
  )
  await expect.element(screen.getByText('Offene Bestellungen')).toBeVisible()
  const cut = [...screen.container.querySelectorAll('a > span:first-child')].filter(
    (label) => label.scrollWidth > label.clientWidth || label.scrollHeight > label.clientHeight,
  )
  expect(cut).toEqual([])
  await expect.element(screen.getByText('44', { exact: true })).toBeVisible()
  const tops = ['5', '44', '23'].map(
    (figure) => screen.getByText(figure, { exact: true }).element().getBoundingClientRect().top,
  )
  expect(new Set(tops).size).toBe(1)
})

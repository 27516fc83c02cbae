import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '@/styles/index.css'
import { Providers } from '../../../gallery/providers.tsx'
import { TODAY_GRID, TodayList } from './today-list.tsx'
import type { TodayRow } from './today-rows.ts'

/** Space between the edge of a row and its text, in pixels. */
const ROW_PADDING = 6

const VIEWPORT = [innerWidth, innerHeight] as const

afterEach(() => page.viewport(...VIEWPORT))

const rows: TodayRow[] = Array.from({ length: 24 }, (_, index) => ({
  id: `${index}`,
  kind: 'order',
  title: `ORD-${index}, Ada Lovelace`,
  detail: 'Late by 2 days',
  to: `/?tab=orders&order=${index}`,
  action: { label: 'Pick', to: '/' },
  isUrgent: true,
}))

const long = rows.map((row, index) => ({
  ...row,
  title: index % 3 === 0 ? row.title : `${row.title}, of the technical university of Copenhagen`,
  detail: index % 2 === 0 ? row.detail : 'The printer stopped in layer 12, because its nozzle is clogged',
}))

it('on a phone, each row of the Today list shows its whole text in several lines, and the list shows whole rows', async () => {
  await page.viewport(390, 900)
  const screen = await render(
    <Providers>
      <TodayList label="Needs you today" rows={long} className={TODAY_GRID} />
    </Providers>,
  )
  const list = screen.getByRole('list', { name: 'Needs you today' }).element()
  const boxes = () => [...list.children].map((row) => row.getBoundingClientRect())
  await expect
    .poll(() => {
      const { bottom } = list.getBoundingClientRect()
      return boxes().filter((box) => box.top < bottom && box.bottom <= bottom).length
    })
    .toBe(4)
  const { bottom } = list.getBoundingClientRect()
  expect(boxes().filter((box) => box.top + ROW_PADDING < bottom && box.bottom > bottom)).toEqual([])
  const cut = [...list.querySelectorAll('bdi')].filter((line) => line.scrollWidth > line.clientWidth)
  expect(cut).toEqual([])
})

it('the Today list shows whole rows, at each number of columns', async () => {
  const screen = await render(
    <Providers>
      <TodayList label="Needs you today" rows={rows} className={TODAY_GRID} />
    </Providers>,
  )
  const list = screen.getByRole('list', { name: 'Needs you today' })
  for (const width of [390, 900, 1440]) {
    await page.viewport(width, 900)
    const bottom = () => list.element().getBoundingClientRect().bottom
    const boxes = () => [...list.element().children].map((row) => row.getBoundingClientRect())
    // The list takes its new height a moment after the window.
    await expect.poll(() => boxes().some((box) => box.bottom > bottom())).toBe(true)
    // A row that is only partly inside the list shows at most its padding.
    await expect
      .poll(() => boxes().filter((box) => box.top + ROW_PADDING < bottom() && box.bottom > bottom()))
      .toEqual([])
  }
})

import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '@/styles/index.css'
import { Providers } from '../../../gallery/providers.tsx'
import { TODAY_GRID, TodayList } from './today-list.tsx'
import type { TodayRow } from './today-rows.ts'

/** Space between the edge of a row and its text, in pixels. */
const ROW_PADDING = 6

const rows: TodayRow[] = Array.from({ length: 24 }, (_, index) => ({
  id: `${index}`,
  kind: 'order',
  title: `ORD-${index}, Ada Lovelace`,
  detail: 'Late by 2 days',
  to: `/?tab=orders&order=${index}`,
  action: { label: 'Pick', to: '/' },
  isUrgent: true,
}))

it('the list of today shows whole rows, at each number of columns', async () => {
  const screen = await render(
    <Providers>
      <TodayList label="Needs you today" rows={rows} className={TODAY_GRID} />
    </Providers>,
  )
  const list = screen.getByRole('list', { name: 'Needs you today' })
  for (const width of [390, 900, 1440]) {
    await page.viewport(width, 900)
    const { bottom } = list.element().getBoundingClientRect()
    const boxes = [...list.element().children].map((row) => row.getBoundingClientRect())
    expect(boxes.filter((box) => box.bottom > bottom).length).toBeGreaterThan(0)
    // A row that is only partly inside the list shows at most its padding.
    expect(boxes.filter((box) => box.top + ROW_PADDING < bottom && box.bottom > bottom)).toEqual([])
  }
})

import '@/styles/index.css'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { inHebrew } from '../../../gallery/in-hebrew.ts'
import type { TodayRow } from './today-rows.ts'

const TITLE = 'PO-00012, Technical University of Denmark'
const ROW: TodayRow = {
  id: '1',
  kind: 'order',
  title: TITLE,
  detail: '',
  to: '/',
  action: null,
  isUrgent: false,
}

inHebrew()

it('in Hebrew, a long Latin name is cut at its end, not at its beginning', async () => {
  const { TodayList } = await import('./today-list.tsx')
  const { Providers } = await import('../../../gallery/providers.tsx')
  const screen = await render(
    <Providers>
      <div style={{ width: 240 }}>
        <TodayList label="Today" rows={[ROW]} />
      </div>
    </Providers>,
  )
  const link = screen.getByRole('link', { name: TITLE })
  await expect.element(link).toBeVisible()
  const name = screen.getByText(TITLE).element().firstChild as Text
  const edgesOf = (from: number, to: number): DOMRect => {
    const range = document.createRange()
    range.setStart(name, from)
    range.setEnd(name, to)
    return range.getBoundingClientRect()
  }
  const { left, right } = link.element().getBoundingClientRect()
  expect(edgesOf(0, 1).left).toBeGreaterThanOrEqual(left)
  expect(edgesOf(TITLE.length - 1, TITLE.length).right).toBeGreaterThan(right)
})

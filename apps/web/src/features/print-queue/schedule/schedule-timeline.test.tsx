import '@/styles/index.css'
import type { PlannedPrint, Schedule } from '@pegasus/contracts/print-queue/schedule'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'

const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-11-29T12:00:00Z')

const browserFetch = window.fetch
const sent: unknown[] = []
beforeAll(() => {
  localStorage.setItem('pegasus-ops-language', 'he')
  document.documentElement.dir = 'rtl'
  window.fetch = async (_, init) => {
    if (init?.method === 'POST') sent.push(await new Response(init.body).json())
    return Response.json({ printers: [], unplanned: [], unplanned_count: 0 })
  }
})
afterAll(() => {
  localStorage.removeItem('pegasus-ops-language')
  document.documentElement.dir = 'ltr'
  window.fetch = browserFetch
})

/** A print that begins and ends this number of hours from now. */
const aPrint = (name: string, [from, to]: [number, number]): Partial<PlannedPrint> => ({
  print_job_id: name,
  name,
  plates: 1,
  pieces: 1,
  starts_at: new Date(NOW_MS + from * HOUR_MS).toISOString(),
  ends_at: new Date(NOW_MS + to * HOUR_MS).toISOString(),
  is_running: false,
  is_assigned: true,
  loads: [],
})
async function showTimeline(nowMs = NOW_MS, dragon: [number, number] = [0, 4]) {
  const prints = [aPrint('Dragon', dragon), aPrint('Egg', [6, 10])]
  const schedule: object = {
    printers: [{ id: 'left', name: 'Left', prints }],
    unplanned: [],
    unplanned_count: 0,
  }
  const { ScheduleTimeline } = await import('./schedule-timeline.tsx')
  const screen = await render(
    <Providers>
      <div style={{ width: 1160 }}>
        <ScheduleTimeline
          schedule={schedule as Schedule}
          hours={12}
          nowMs={nowMs}
          onChoose={() => undefined}
          jobAddress={() => '/'}
        />
      </div>
    </Providers>,
  )
  const bar = (name: string) => screen.getByRole('button', { name: new RegExp(name) })
  const boxOf = (name: string) => bar(name).element().getBoundingClientRect()
  return { screen, bar, boxOf }
}

it('a line at the current time crosses all rows, where a print that begins now begins', async () => {
  const { screen, boxOf } = await showTimeline(NOW_MS + HOUR_MS / 2, [0.5, 4])
  const line = screen.container.querySelector('[data-now]')!.getBoundingClientRect()
  const begin = boxOf('Dragon').right
  expect(Math.abs((line.left + line.right) / 2 - begin)).toBeLessThan(2)
  const lane = boxOf('Dragon')
  expect(line.top).toBeLessThan(lane.top)
  expect(line.bottom).toBeGreaterThan(lane.bottom)
})

it('in Hebrew, the time of the schedule begins beside the names of the printers and runs to the left', async () => {
  const { screen, boxOf } = await showTimeline()
  const nameBox = screen.getByText('Left').element().parentElement!.getBoundingClientRect()
  expect(nameBox.left - boxOf('Dragon').right).toBeLessThan(20)
  expect(boxOf('Egg').right).toBeLessThan(boxOf('Dragon').left)
  // The hour lines of the header must continue in the rows.
  const [header, ...rows] = screen.container.querySelectorAll('.relative.flex-1')
  const linesOf = (row: Element | undefined) =>
    [...(row?.querySelectorAll(':scope > .border-s') ?? [])].map((line) =>
      Math.round(line.getBoundingClientRect().right),
    )
  expect(linesOf(header)).toHaveLength(12)
  expect(rows.map(linesOf)).toEqual([linesOf(header)])
})

it('in Hebrew, a print that is dropped on the first half of another one is printed before it', async () => {
  const { bar, boxOf } = await showTimeline()
  const { width, height } = boxOf('Dragon')
  const first = { x: width * 0.8, y: height / 2 }
  await userEvent.dragAndDrop(bar('Egg'), bar('Dragon'), { targetPosition: first })
  await expect.poll(() => sent).toEqual([{ printer_id: 'left', before_id: 'Dragon' }])
})

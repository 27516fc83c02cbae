import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '@/styles/index.css'
import { Providers } from '../../../gallery/providers.tsx'
import { QueueStatus } from './queue-status.tsx'

/** A job with only the fields that the card reads. */
const aJob = (name: string, status: 'pending' | 'in_progress') => ({
  id: name,
  inventory_item_name: name,
  status,
  priority: status === 'pending' ? 1 : 3,
  quantity: 1,
  waits_for: [],
  printer: null,
  agent: null,
  progress: 0,
  current_plate: null as object | null,
  started_at: null,
  estimated_minutes: null,
})
const WAITING = ['Hook', 'Vase', 'Egg', 'Gear', 'Bin'].map((name) => aJob(name, 'pending'))

let running = [aJob('Dragon', 'in_progress')]
const browserFetch = window.fetch
beforeEach(() => {
  running = [aJob('Dragon', 'in_progress')]
  window.fetch = (input) => {
    const { searchParams } = new URL(new Request(input).url)
    const jobs = searchParams.get('status') === 'in_progress' ? running : WAITING
    return Promise.resolve(Response.json(jobs, { headers: { 'x-total-count': '6' } }))
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

/** Shows the card, and returns the names of its jobs once the first one is there. */
const namesOnCard = async (first: string): Promise<(string | null)[]> => {
  const screen = await render(
    <Providers>
      <QueueStatus queueAddress="/queue" />
    </Providers>,
  )
  await expect.element(screen.getByText(first)).toBeVisible()
  return [...screen.container.querySelectorAll('li bdi.font-medium')].map(({ textContent }) => textContent)
}

it('the print queue of the dashboard lists running jobs before waiting ones of a higher priority', async () => {
  expect(await namesOnCard('Dragon')).toEqual(['Dragon', 'Hook', 'Vase', 'Egg', 'Gear'])
})

it('a job that returns to the queue while the dashboard reads the queue is listed once', async () => {
  running = [aJob('Egg', 'in_progress')]
  expect(await namesOnCard('Egg')).toEqual(['Egg', 'Hook', 'Vase', 'Gear', 'Bin'])
})

it('on a phone, the time left of a running job is not cut beside its status', async () => {
  const size = [innerWidth, innerHeight] as const
  onTestFinished(() => page.viewport(...size))
  await page.viewport(390, 844)
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const plate = { started_at: hoursFromNow(-11), ends_at: hoursFromNow(12.99), progress: 0.46 }
  running = [{ ...aJob('Dragon', 'in_progress'), current_plate: plate }]
  await namesOnCard('Dragon')
  const note = page.getByText(/12 h 59 min left/)
  const { scrollWidth, clientWidth } = note.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

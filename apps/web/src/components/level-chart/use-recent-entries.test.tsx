import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { useNow } from '@/lib/browser/use-now.ts'
import { DAY_MS } from '@/lib/format/durations.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import { useRecentEntries } from './use-recent-entries.ts'

/** A ledger with an entry every `hours` hours, in pages. */
function aLedger({ hours, pageSize }: { hours: number; pageSize: number }) {
  const now = Date.now()
  return listQuery<{ id: string; at: string }>(['ledger', hours], async ({ cursor }) => {
    const first = Number(cursor ?? 0)
    const items = Array.from({ length: pageSize }, (_, index) => ({
      id: String(first + index),
      at: new Date(now - (first + index) * hours * 3_600_000).toISOString(),
    }))
    return { items, total: 100_000, isTotalCapped: false, nextCursor: String(first + pageSize) }
  })
}

function Entries({ ledger }: { ledger: ReturnType<typeof aLedger> }) {
  const nowMs = useNow()
  const entries = useRecentEntries(ledger, ({ at }) => at)
  if (entries === null) return <p>Loading</p>
  const days = Math.floor((nowMs - Date.parse(entries.at(-1)?.at ?? '')) / DAY_MS)
  return (
    <p>
      {entries.length} entries of {days} days
    </p>
  )
}

const show = (ledger: ReturnType<typeof aLedger>) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Entries ledger={ledger} />
    </QueryClientProvider>,
  )

it('useRecentEntries loads further pages until they cover the thirty days of a chart', async () => {
  const screen = await show(aLedger({ hours: 4, pageSize: 100 }))
  await expect.element(screen.getByText('200 entries of 33 days')).toBeVisible()
})

it('useRecentEntries loads no second page if the first one is old enough', async () => {
  const screen = await show(aLedger({ hours: 9, pageSize: 100 }))
  await expect.element(screen.getByText('100 entries of 37 days')).toBeVisible()
})

it('useRecentEntries stops after ten pages of a very busy ledger', async () => {
  const screen = await show(aLedger({ hours: 1, pageSize: 10 }))
  await expect.element(screen.getByText('100 entries of 4 days')).toBeVisible()
})

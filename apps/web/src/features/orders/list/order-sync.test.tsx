import type { OrderSync } from '@pegasus/contracts/orders/orders'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useOrderSync, useSyncCommand } from './order-sync.tsx'

const SYNCED: OrderSync = {
  outcome: 'synced',
  detail: 'Checked 1 order: 1 new, 0 changed, 0 unchanged.',
  created: 1,
  updated: 0,
  unchanged: 0,
  failed: [],
}
const browserFetch = window.fetch

beforeEach(() => {
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.origin)
    return url.pathname === '/api/orders/sync' ? Response.json(SYNCED) : browserFetch(input, init)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

function Button() {
  const sync = useOrderSync()
  return <button onClick={() => sync.mutate()}>Sync</button>
}

function Command() {
  return <button onClick={useSyncCommand(() => undefined)}>Sync</button>
}

it.each([
  ['the button of the list', Button],
  ['the command of the palette', Command],
])('after a sync with %s, orders, stock and counts are loaded again', async (_, Sync) => {
  const client = new QueryClient()
  const keys = [['orders', 'list'], ['inventory', 'list'], ['stats']]
  for (const key of keys) client.setQueryData(key, [])
  const screen = await render(
    <QueryClientProvider client={client}>
      <Sync />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Sync' }))
  await expect
    .poll(() => keys.map((key) => client.getQueryState(key)?.isInvalidated))
    .toEqual([true, true, true])
})

import type { ShopComparison } from '@pegasus/contracts/orders/shop-comparison'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { FailedComparison } from './failed-comparison.tsx'

const browserFetch = window.fetch
let comparison: ShopComparison
beforeEach(() => {
  window.fetch = async (input, init) =>
    input === '/api/orders/comparison' ? Response.json(comparison) : browserFetch(input, init)
})
afterEach(() => {
  window.fetch = browserFetch
  vi.useRealTimers()
})

const shown = () =>
  render(
    <Providers>
      <FailedComparison />
      <p>The orders</p>
    </Providers>,
  )

it('the orders page says why and when the last comparison failed, and when one succeeded before', async () => {
  comparison = {
    compared_at: '2026-11-28T09:00:00Z',
    failed_at: '2026-11-28T09:05:00Z',
    problem: 'Down for maintenance.',
  }
  const screen = await shown()
  await expect.element(screen.getByText('The orders could not be compared with the shop')).toBeVisible()
  await expect.element(screen.getByText('Down for maintenance.')).toBeVisible()
  await expect.element(screen.getByText(/^Last attempt: .*Nov.* Last success: .*Nov/)).toBeVisible()
})

it('the orders page says so if the shop could never be compared', async () => {
  comparison = { compared_at: null, failed_at: '2026-11-28T09:05:00Z', problem: 'Wrong key.' }
  const screen = await shown()
  await expect.element(screen.getByText(/No comparison has succeeded yet\./)).toBeVisible()
})

it('after a successful comparison, an earlier failure is not shown', async () => {
  comparison = { compared_at: '2026-11-28T09:10:00Z', failed_at: '2026-11-28T09:05:00Z', problem: null }
  const screen = await shown()
  await expect.element(screen.getByText('The orders', { exact: true })).toBeVisible()
  await expect.element(screen.getByText(/could not be compared/)).not.toBeInTheDocument()
})

it('on an open page, the time of the last attempt follows repeated failures, until a comparison succeeds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  comparison = { compared_at: null, failed_at: '2026-11-26T09:05:00Z', problem: 'Wrong key.' }
  const screen = await shown()
  await expect.element(screen.getByText(/^Last attempt: .*Nov 26/)).toBeVisible()
  comparison = { ...comparison, failed_at: '2026-11-28T09:10:00Z' }
  vi.advanceTimersByTime(60_000)
  await expect.element(screen.getByText(/^Last attempt: .*Nov 28/)).toBeVisible()
  comparison = { compared_at: '2026-11-28T09:15:00Z', failed_at: '2026-11-28T09:10:00Z', problem: null }
  vi.advanceTimersByTime(60_000)
  await expect.element(screen.getByText(/could not be compared/)).not.toBeInTheDocument()
})

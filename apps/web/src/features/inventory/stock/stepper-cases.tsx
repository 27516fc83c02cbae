import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'

const ID = '01890000-0000-7000-8000-000000000000'
const item = { id: ID, name: 'Wall hook', quantity: 7, status: 'In Stock', revision: 1 } as InventoryItem

/** Shows the stepper of an item with 7 pieces, and records the counts that it sends. */
export async function aStepper() {
  // These modules read the language when they are loaded. They are loaded here, after the test has chosen the language.
  const { Providers } = await import('../../../../gallery/providers.tsx')
  const { StockProvider } = await import('./stock-context.tsx')
  const { Stepper } = await import('./stepper.tsx')
  const counts: unknown[] = []
  const browserFetch = window.fetch
  window.fetch = async (request, init) => {
    counts.push(await new Request(request, init).json())
    // The simulated server refuses the request, because the tests check only the count that was sent.
    return Response.json({ detail: 'Not now.', code: 'stock_limit' }, { status: 409 })
  }
  const screen = await render(
    <Providers>
      <StockProvider>
        <Stepper item={item} />
      </StockProvider>
    </Providers>,
  )
  const field = screen.getByRole('textbox')
  const type = async (text: string) => {
    await field.fill(text)
    await userEvent.keyboard('{Enter}')
  }
  const isRefused = async (text: string, message: RegExp) => {
    const before = counts.length
    await type(text)
    await expect.element(screen.getByText(message).first()).toBeVisible()
    await expect.element(field).toHaveValue(text)
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    expect(counts).toHaveLength(before)
    await userEvent.keyboard('{Escape}')
    await expect.element(field).toHaveValue('7')
    await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
  }
  const isCounted = async (text: string, quantity: number) => {
    const before = counts.length
    await type(text)
    await expect.poll(() => counts.slice(before)).toEqual([{ quantity }])
    await expect.element(field).toHaveValue('7')
  }
  return { screen, field, counts, isRefused, isCounted, close: () => void (window.fetch = browserFetch) }
}

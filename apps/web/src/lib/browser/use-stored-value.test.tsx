import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { readStrings, useStoredValue } from './use-stored-value.ts'

const KEY = 'test-cards'

function Cards() {
  const [cards, change] = useStoredValue(KEY, readStrings)
  return (
    <button type="button" onClick={() => change((now) => [...now, 'orders'])}>
      {cards.join(', ') || 'none'}
    </button>
  )
}

it('useStoredValue shows a change from another tab, and keeps it when this tab changes the value too', async () => {
  localStorage.removeItem(KEY)
  const screen = await render(<Cards />)
  const cards = screen.getByRole('button')
  await expect.element(cards).toHaveTextContent('none')
  // Another tab stores a value, and the browser notifies this tab.
  localStorage.setItem(KEY, '["printers"]')
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
  await expect.element(cards).toHaveTextContent('printers')
  await cards.click()
  await expect.element(cards).toHaveTextContent('printers, orders')
  expect(localStorage.getItem(KEY)).toBe('["printers","orders"]')
})

it('useStoredValue changes a value on this page even if it does not fit into the storage', async () => {
  localStorage.clear()
  const screen = await render(<Cards />)
  // Fill the storage to its last character.
  for (let size = 4 * 1024 * 1024; size > 0; size = Math.floor(size / 2))
    for (let part = 0; part < 3; part += 1)
      try {
        localStorage.setItem(`filler-${size}-${part}`, 'x'.repeat(size))
      } catch {
        // The storage has no space for this size, so continue with smaller sizes.
      }
  await screen.getByRole('button').click()
  await expect.element(screen.getByRole('button')).toHaveTextContent('orders')
  localStorage.clear()
})

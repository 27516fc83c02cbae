import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { shortcutKey, useShortcuts } from './use-shortcuts.ts'

function Page({ onShip }: { onShip: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts({ s: onShip, o: () => setIsOpen(true), n: null, Escape: () => setIsOpen(false) })
  return (
    <>
      <input aria-label="Name" />
      {isOpen ? <dialog open>Open</dialog> : null}
    </>
  )
}

/** Options for retries at the pace of a person who presses keys. */
const PERSON = { interval: 200, timeout: 10_000 }

const press = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))

it('useShortcuts reacts to keys on the page, but not in a field or while a dialog is open', async () => {
  const onShip = vi.fn<() => void>()
  const screen = await render(<Page onShip={onShip} />)
  await userEvent.keyboard('s')
  await vi.waitFor(() => expect(onShip).toHaveBeenCalledTimes(1))
  await userEvent.click(screen.getByRole('textbox', { name: 'Name' }))
  await userEvent.keyboard('s')
  await userEvent.click(document.body)
  await vi.waitFor(async () => {
    // The hook takes a key that quickly follows another one for a scanner's key, so press at a person's pace.
    await userEvent.keyboard('o')
    expect(screen.getByText('Open').elements()).toHaveLength(1)
  }, PERSON)
  await userEvent.keyboard('s')
  await expect.element(screen.getByText('Open')).toBeVisible()
  expect(onShip).toHaveBeenCalledTimes(1)
})

it('useShortcuts ignores the letters that a keyboard scanner types', async () => {
  const onShip = vi.fn<() => void>()
  const screen = await render(<Page onShip={onShip} />)
  for (const key of [...'so-s', 'Enter']) press(key)
  // The keys above look like a scanner's keys. This key looks like a person's.
  await vi.waitFor(() => {
    press('o')
    expect(screen.getByText('Open').elements()).toHaveLength(1)
  }, PERSON)
  expect(onShip).not.toHaveBeenCalled()
})

it('shortcutKey finds the same key on a layout without Latin letters', () => {
  const press = (key: string, code: string, shiftKey = false) =>
    shortcutKey(new KeyboardEvent('keydown', { key, code, shiftKey }))
  expect([press('ל', 'KeyK'), press('л', 'KeyK'), press('Л', 'KeyK', true)]).toEqual(['k', 'k', 'K'])
  // A French keyboard has the letter A where a US keyboard has Q.
  expect([press('a', 'KeyQ'), press('/', 'Digit7', true), press('Enter', 'Enter')]).toEqual([
    'a',
    '/',
    'Enter',
  ])
})

import type { SubmitEvent } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { focusField } from './focus-field.ts'

const Passwords = ({ onSubmit }: { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void }) => (
  <form onSubmit={onSubmit}>
    <input name="first" aria-label="First" />
    <input name="second" aria-label="Second" />
    <button type="submit">Save</button>
  </form>
)

it('after a failed submission, a field has the focus before the person can type in another one', async () => {
  let focusedAtOnce: string | null = null
  const screen = await render(
    <Passwords
      onSubmit={(event) => {
        event.preventDefault()
        focusField(event, 'first')
        focusedAtOnce = document.activeElement?.getAttribute('name') ?? null
      }}
    />,
  )
  await userEvent.type(screen.getByLabelText('First'), 'abc')
  await userEvent.type(screen.getByLabelText('Second'), 'abcd{Enter}')
  await expect.element(screen.getByLabelText('First')).toHaveFocus()
  expect(focusedAtOnce).toBe('first')
  // The text is selected, so that typing replaces it.
  await userEvent.keyboard('new')
  await expect.element(screen.getByLabelText('First')).toHaveValue('new')
})

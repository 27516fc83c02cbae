import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { focusField } from './focus-field.ts'

let focusedAtOnce: string | null = null

function Passwords() {
  const { register, handleSubmit } = useForm({ defaultValues: { first: '', second: '' } })
  const onSubmit = handleSubmit(async (_values, submit) => {
    await Promise.resolve()
    focusField(submit, 'first')
    focusedAtOnce = (document.activeElement as HTMLInputElement).name
  })
  return (
    <form onSubmit={onSubmit}>
      <input {...register('first')} aria-label="First" />
      <input {...register('second')} aria-label="Second" />
      <button type="submit">Save</button>
    </form>
  )
}

it('after a failure, the field has the focus before the person can type in another one', async () => {
  const screen = await render(<Passwords />)
  await userEvent.type(screen.getByLabelText('First'), 'abc')
  await userEvent.type(screen.getByLabelText('Second'), 'abcd{Enter}')
  await expect.element(screen.getByLabelText('First')).toHaveFocus()
  expect(focusedAtOnce).toBe('first')
  // The text is selected, so that typing replaces it.
  await userEvent.keyboard('new')
  await expect.element(screen.getByLabelText('First')).toHaveValue('new')
})

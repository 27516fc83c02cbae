import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Checkbox } from './checkbox.tsx'
import { CodeInput } from './code-input.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { NumberInput } from './number-input.tsx'
import { PasswordInput } from './password-input.tsx'
import { SegmentedControl } from './segmented-control.tsx'
import { Select } from './select.tsx'
import { Switch } from './switch.tsx'
import { Textarea } from './textarea.tsx'

it.each([
  ['Input', <Input key="input" />],
  ['Select', <Select key="select" />],
  ['Textarea', <Textarea key="textarea" />],
  ['PasswordInput', <PasswordInput key="password" />],
])('Field gives its label, hint and error to %s', async (_, control) => {
  const screen = await render(
    <Field label="Name" hint="As on the label" error="A name is required." isRequired>
      {control}
    </Field>,
  )
  const field = screen.getByLabelText(/^Name/)
  await expect.element(field).toHaveAccessibleDescription(expect.stringContaining('A name is required.'))
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
})

it('NumberInput reads separators, keeps the typed text, and changes its number with the arrow keys', async () => {
  const handleChange = vi.fn<(value: string) => void>()
  function Price() {
    const [price, setPrice] = useState('12.50')
    return (
      <Field label="Price">
        <NumberInput
          value={price}
          min={0}
          step={0.01}
          onChange={(next) => {
            handleChange(next)
            setPrice(next)
          }}
        />
      </Field>
    )
  }
  const screen = await render(<Price />)
  const field = screen.getByLabelText('Price')
  await expect.element(field).toHaveValue('12.50')
  await userEvent.clear(field)
  await userEvent.type(field, '1,200.50')
  await expect.element(field).toHaveValue('1,200.50')
  expect(handleChange).toHaveBeenLastCalledWith('1200.50')
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(field).toHaveValue('1200.51')
  await userEvent.clear(field)
  await userEvent.type(field, '0,5')
  expect(handleChange).toHaveBeenLastCalledWith('0.5')
  await userEvent.clear(field)
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(field).toHaveValue('0.00')
  await userEvent.clear(field)
  await userEvent.type(field, 'ten')
  expect(handleChange).toHaveBeenLastCalledWith('ten')
})

it('CodeInput accepts only digits and reports the complete code once', async () => {
  const handleComplete = vi.fn<(code: string) => void>()
  function Code() {
    const [code, setCode] = useState('')
    return (
      <Field label="Code">
        <CodeInput value={code} onChange={setCode} onComplete={handleComplete} />
      </Field>
    )
  }
  const screen = await render(<Code />)
  await userEvent.type(screen.getByLabelText('Code'), '12a3456')
  expect(handleComplete).toHaveBeenCalledExactlyOnceWith('123456')
})

it('PasswordInput shows and hides the password', async () => {
  const screen = await render(
    <Field label="Password">
      <PasswordInput defaultValue="secret" />
    </Field>,
  )
  const field = screen.getByLabelText('Password', { exact: true })
  await expect.element(field).toHaveAttribute('type', 'password')
  await userEvent.click(screen.getByRole('button', { name: /show/i }))
  await expect.element(field).toHaveAttribute('type', 'text')
})

it('SegmentedControl changes its value with the arrow keys', async () => {
  const handleChange = vi.fn<(value: string) => void>()
  const options = { cards: 'Cards', list: 'List' }
  const screen = await render(
    <SegmentedControl label="View" value="cards" options={options} onChange={handleChange} />,
  )
  await expect.element(screen.getByRole('radio', { name: 'Cards' })).toBeChecked()
  screen.getByRole('radio', { name: 'Cards' }).element().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(handleChange).toHaveBeenCalledExactlyOnceWith('list')
})

it('Checkbox shows a mixed state, and Switch has the role "switch"', async () => {
  const screen = await render(
    <>
      <Checkbox label="All parts" isMixed />
      <Switch label="By mail" defaultChecked />
    </>,
  )
  await expect.element(screen.getByRole('checkbox', { name: 'All parts' })).toBePartiallyChecked()
  await userEvent.click(screen.getByRole('switch', { name: 'By mail' }))
  await expect.element(screen.getByRole('switch', { name: 'By mail' })).not.toBeChecked()
})

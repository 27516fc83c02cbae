import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { ApiError } from '../../lib/http/api-error.ts'
import { InlineEdit } from './inline-edit.tsx'

function Price() {
  const [price, setPrice] = useState('12.50')
  return (
    <InlineEdit
      label="Price of Wall hook"
      value={price}
      check={(text) => (Number.isFinite(Number(text)) ? null : 'Price must be a number')}
      onSave={async (text) => {
        if (text === '99') throw new ApiError({ status: 409, detail: 'Somebody was quicker.', otherwise: '' })
        setPrice(text)
      }}
    >
      ${price}
    </InlineEdit>
  )
}

const show = () =>
  render(
    <Providers>
      <Price />
      <button type="button">Elsewhere</button>
    </Providers>,
  )

it('InlineEdit turns a value into a field, saves it on Enter, and returns the focus to the value', async () => {
  const screen = await show()
  const value = screen.getByRole('button', { name: /^Price of Wall hook, edit/ })
  await value.click()
  const field = screen.getByRole('textbox', { name: 'Price of Wall hook' })
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('14{Enter}')
  await expect.element(value).toMatchTextContent(/\$14$/)
  await expect.element(value).toHaveFocus()
  await value.click()
  await userEvent.keyboard('15')
  await screen.getByRole('button', { name: 'Elsewhere' }).click()
  await expect.element(value).toMatchTextContent(/\$15$/)
})

it('InlineEdit keeps the old value on Escape, and keeps a refused value in the field with its message', async () => {
  const screen = await show()
  const value = screen.getByRole('button', { name: /^Price of Wall hook, edit/ })
  await value.click()
  await userEvent.keyboard('13{Escape}')
  await expect.element(value).toMatchTextContent(/\$12\.50$/)
  await expect.element(value).toHaveFocus()
  const field = screen.getByRole('textbox', { name: 'Price of Wall hook' })
  await value.click()
  await userEvent.keyboard('cheap{Enter}')
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(screen.getByText('Price must be a number')).toBeVisible()
  await userEvent.fill(field, '99')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('Somebody was quicker.')).toBeVisible()
  await expect.element(field).toHaveValue('99')
})

it('InlineEdit saves only a changed text, with the onSave function from the moment when the field was opened', async () => {
  const saved: string[] = []
  function Shared() {
    const [price, setPrice] = useState('10')
    useEffect(() => {
      const change = () => setPrice('12')
      window.addEventListener('colleague', change)
      return () => window.removeEventListener('colleague', change)
    }, [])
    return (
      <InlineEdit
        label="Price"
        value={price}
        onSave={async (text) => void saved.push(`${text} instead of ${price}`)}
      >
        ${price}
      </InlineEdit>
    )
  }
  const screen = await render(
    <Providers>
      <Shared />
      <button type="button">Elsewhere</button>
    </Providers>,
  )
  const value = screen.getByRole('button', { name: /^Price/ })
  await value.click()
  window.dispatchEvent(new Event('colleague'))
  await screen.getByRole('button', { name: 'Elsewhere' }).click()
  await expect.element(value).toMatchTextContent(/\$12$/)
  expect(saved).toEqual([])
  await value.click()
  await userEvent.keyboard('14')
  window.dispatchEvent(new Event('colleague'))
  await userEvent.keyboard('{Enter}')
  await expect.element(value).toMatchTextContent(/\$12$/)
  expect(saved).toEqual(['14 instead of 12'])
})

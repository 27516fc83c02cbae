import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { aStepper } from './stepper-cases.tsx'

it('the stepper counts a whole number, and keeps a text without a clear meaning in the field with a message', async () => {
  const { isCounted, isRefused, counts, close } = await aStepper()
  try {
    await isCounted('05', 5)
    await isCounted('0', 0)
    await isCounted('1,200', 1200)
    await isCounted('1 200', 1200)
    for (const text of ['+5', '5.', '12,00', '12.00', '1.200', '-1', '2.5', 'five', '99999999999'])
      await isRefused(text, new RegExp(`“${text.replaceAll(/[+.]/g, '\\$&')}” was not counted\\.`))
    expect(counts).toHaveLength(4)
  } finally {
    close()
  }
})

it('the stepper shows the message also if the person leaves the field, and counts nothing for an empty field', async () => {
  const { screen, field, counts, close } = await aStepper()
  try {
    await field.fill('12,00')
    await userEvent.tab()
    await expect.element(screen.getByText(/“12,00” was not counted\./).first()).toBeVisible()
    await expect.element(field).toHaveValue('12,00')
    await field.fill('')
    await userEvent.keyboard('{Enter}')
    await expect.element(field).toHaveValue('7')
    expect(counts).toEqual([])
  } finally {
    close()
  }
})

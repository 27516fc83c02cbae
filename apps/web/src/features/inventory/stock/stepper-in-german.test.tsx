import { expect, it } from 'vitest'
import { aStepper } from './stepper-cases.tsx'

it('the stepper reads numbers as German writes them, and refuses a text without a clear meaning in German', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  const { isCounted, isRefused, counts, close } = await aStepper()
  try {
    await isCounted('05', 5)
    await isCounted('1.200', 1200)
    for (const text of ['+5', '5,', '12,00', '12.00', '1,200'])
      await isRefused(text, new RegExp(`„${text.replaceAll(/[+.]/g, '\\$&')}“ wurde nicht gezählt\\.`))
    expect(counts).toHaveLength(2)
  } finally {
    close()
    localStorage.removeItem('pegasus-ops-language')
  }
})

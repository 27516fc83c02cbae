import { expect, it } from 'vitest'
import { inHebrew } from '../../../../gallery/in-hebrew.ts'
import { showHtml } from '../../../../gallery/text-edges.ts'

inHebrew()

it('in Hebrew, the sign of a change of weight stands to the left of its number', async () => {
  const { formatSigned } = await import('./ledger-text.ts')
  const leftOf = showHtml(`<p>${formatSigned(-31)} נלקחו</p>`)
  expect(leftOf('−')).toBeLessThan(leftOf('31'))
})

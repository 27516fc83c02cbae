import '@/styles/index.css'
import { expect, it } from 'vitest'
import { inHebrew } from '../../../gallery/in-hebrew.ts'
import { showHtml as show } from '../../../gallery/text-edges.ts'

const PRINTER = 'Prusa MK4 · 01'

inHebrew()

it('in Hebrew, a printer’s name keeps its order beside a time, in a line of facts and in a sentence', async () => {
  const { joinFacts } = await import('./join-words.ts')
  const { t } = await import('./messages.ts')
  const { serverText, serverTextsLoaded } = await import('./server-texts.ts')
  await serverTextsLoaded
  for (const line of [
    joinFacts(['54 %', 'נותרו 09 דק׳', PRINTER]),
    t('{name}: system access granted', { name: PRINTER }),
    serverText(`${PRINTER}: Prints J-00670, 63 % done.`),
  ]) {
    const leftOf = show(`<p>${line}</p>`)
    expect({ line, isInOrder: leftOf('Prusa') < leftOf('01') }).toEqual({ line, isInOrder: true })
  }
})

it('in Hebrew, a Latin name stands at the right edge of its column, like all other names', () => {
  const leftOf = show('<bdi class="block">Castle</bdi><bdi class="block">דרקון</bdi>')
  const middle = window.innerWidth - 300
  expect(leftOf('Castle')).toBeGreaterThan(middle)
  expect(leftOf('דרקון')).toBeGreaterThan(middle)
})

it('in Hebrew, a number that follows a code stands to the left of the code', () => {
  const leftOf = show('<p><span class="code">J-00774</span> · 1 יחידה</p>')
  expect(leftOf('1 יחידה')).toBeLessThan(leftOf('J-00774'))
})

it('in Hebrew, the planned weight stands to the left of the used one', async () => {
  const { gramsText } = await import('@/components/production/production-texts.ts')
  const row = { planned_grams: 200, used_grams: 240 } as Parameters<typeof gramsText>[0]
  const leftOf = show(`<p>${gramsText(row)}</p>`)
  expect(leftOf('200')).toBeLessThan(leftOf('240'))
  expect(leftOf('20 %')).toBeLessThan(leftOf('200'))
})

it('in Hebrew, the label of a day on the axis of a chart has its number on the right', async () => {
  const { axisLabel } = await import('./languages.ts')
  const leftOf = show(`<p dir="ltr">${axisLabel('31 באוק׳')}</p>`)
  expect(leftOf('31')).toBeGreaterThan(leftOf('באוק'))
})

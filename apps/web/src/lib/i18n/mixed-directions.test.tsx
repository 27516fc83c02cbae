import '@/styles/index.css'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PRINTER = 'Prusa MK4 · 01'

beforeAll(() => {
  localStorage.setItem('pegasus-ops-language', 'he')
  document.documentElement.dir = 'rtl'
})
afterAll(() => {
  localStorage.removeItem('pegasus-ops-language')
  document.documentElement.dir = 'ltr'
  document.body.replaceChildren()
})

/** Shows HTML in a box of 600 px, and returns a function that finds the left edge of a text in it. */
function show(html: string): (part: string) => number {
  document.body.innerHTML = `<div style="width: 600px">${html}</div>`
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return (part) => {
    const text = texts.find(({ data }) => data.includes(part))
    if (!text) throw new Error(`“${part}” is not shown`)
    const range = document.createRange()
    range.setStart(text, text.data.indexOf(part))
    range.setEnd(text, text.data.indexOf(part) + part.length)
    return range.getBoundingClientRect().left
  }
}

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
  expect(leftOf('Castle')).toBeGreaterThan(300)
  expect(leftOf('דרקון')).toBeGreaterThan(300)
})

it('in Hebrew, the label of a day on the axis of a chart has its number on the right', async () => {
  const { axisLabel } = await import('./languages.ts')
  const leftOf = show(`<p dir="ltr">${axisLabel('31 באוק׳')}</p>`)
  expect(leftOf('31')).toBeGreaterThan(leftOf('באוק'))
})

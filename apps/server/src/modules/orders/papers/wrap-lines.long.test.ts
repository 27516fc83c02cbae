import { expect, it } from 'vitest'
import { measureText } from '../../../platform/pdf/fonts.ts'
import { wrapLines } from './wrap-lines.ts'

const STYLE = { sizeMm: 3.6, isBold: false }

/**
 * Returns the processor time of a call in milliseconds. It is the shortest of several calls, because other programs use
 * the processor, too.
 */
function shortestMs(call: (round: number) => void): number {
  const times = Array.from({ length: 5 }, (_, round) => {
    const before = process.cpuUsage()
    call(round)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

it('breaking a text takes about as long as measuring its words', () => {
  /** Returns different words in each round, so that no width of a word has been measured before. */
  const wordsOf = (name: string) =>
    Array.from({ length: 1500 }, (_, index) => `${name}${(index * 7919).toString(36)} `)
  const measuring = shortestMs((round) => {
    for (const word of wordsOf(`a${round}`)) measureText(word, STYLE)
  })
  const breaking = shortestMs((round) => {
    wrapLines(wordsOf(`b${round}`).join(''), 300, STYLE)
  })
  expect(breaking / measuring).toBeLessThan(3.5)
})

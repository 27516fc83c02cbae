import { describe, expect, it } from 'vitest'
import { forgivenSlips, slippedPatterns, slipsBetween, unslipped } from './fuzzy.ts'

describe('slips of the keyboard', () => {
  it.each([
    ['bracket', 'bracket', 0],
    ['barcket', 'bracket', 1],
    ['brackt', 'bracket', 1],
    ['braacket', 'bracket', 1],
    ['brakcets', 'bracket', 2],
    ['gaer', 'gear', 1],
    ['gear', 'bear', 1],
    ['dragon', 'wagon', 2],
    ['шестрня', 'шестерня', 1],
    ['', 'ab', 2],
    ['hinge', 'screw', 3],
    ['a', 'abcdefgh', 3],
  ])('counts those between %s and %s: %i', (one, other, slips) => {
    expect(slipsBetween(one, other, 2)).toBe(slips)
    expect(slipsBetween(other, one, 2)).toBe(slips)
  })

  it('forgives none in short words, in numbers and in what is no word, one in middling and two in long ones', () => {
    expect(
      ['', 'cog', 'gear', 'hinge', 'dragon', 'x'.repeat(41), '18402', 'mk4-s'].map(forgivenSlips),
    ).toEqual([0, 0, 1, 1, 2, 0, 0, 0])
  })

  it('undoes every swap and every letter too many', () => {
    expect(unslipped('gaer')).toEqual(['ager', 'gear', 'gare', 'aer', 'ger', 'gar', 'gae'])
    expect(unslipped('aa')).toEqual(['a'])
  })

  it('asks for every word with a letter wrong or missing, and for signs as they are', () => {
    expect(slippedPatterns('ут')).toEqual(['_т', 'у_', '_ут', 'у_т', 'ут_'])
    expect(slippedPatterns('%')).toEqual(['_', String.raw`_\%`, String.raw`\%_`])
  })
})

import { describe, expect, it } from 'vitest'
import { allowedTypos, typoPatterns, typosBetween, withoutTypos } from './fuzzy.ts'

describe('fuzzy matching', () => {
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
  ])('the number of typos between %s and %s is %i', (one, other, slips) => {
    expect(typosBetween(one, other, 2)).toBe(slips)
    expect(typosBetween(other, one, 2)).toBe(slips)
  })

  it('fuzzy matching allows one typo in medium words and two in long words, but none in short words and words with digits', () => {
    expect(
      ['', 'cog', 'gear', 'hinge', 'dragon', 'x'.repeat(41), '18402', 'mk4-s'].map(allowedTypos),
    ).toEqual([0, 0, 1, 1, 2, 0, 0, 0])
  })

  it('withoutTypos returns a word with each two adjacent letters swapped, and with each letter removed', () => {
    expect(withoutTypos('gaer')).toEqual(['ager', 'gear', 'gare', 'aer', 'ger', 'gar', 'gae'])
    expect(withoutTypos('aa')).toEqual(['a'])
  })

  it('typoPatterns returns a pattern for each wrong or missing letter, and escapes special characters', () => {
    expect(typoPatterns('ут')).toEqual(['_т', 'у_', '_ут', 'у_т', 'ут_'])
    expect(typoPatterns('%')).toEqual(['_', String.raw`_\%`, String.raw`\%_`])
  })
})

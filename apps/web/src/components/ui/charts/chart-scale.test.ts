import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandScale, bucketSums, labelledDays, linearScale, niceTicks, runningTotal } from './chart-scale.ts'

describe('ticks of an axis', () => {
  test.each([
    [{ max: 3650 }, [0, 2000, 4000]],
    [{ max: 33, isWhole: true }, [0, 20, 40]],
    [{ max: 42, isWhole: true, intervals: 1 }, [0, 50]],
    [{ max: 1, isWhole: true }, [0, 1]],
    [{ max: 0.3 }, [0, 0.2, 0.4]],
    [{ max: 0 }, [0, 1]],
    [{ min: 4210, max: 5741 }, [4000, 5000, 6000]],
    [{ min: 500, max: 500 }, [500]],
    [{ max: 2e15 }, [0, 1e15, 2e15]],
  ])('chart ticks cover the range %o', (range, expected) => {
    expect(niceTicks(range)).toEqual(expected)
  })

  test('chart ticks always cover all values with at most two steps', () => {
    const values = fc.double({ min: 1e-6, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (max, share) => {
        const min = max * share
        if (max - min < max * 1e-6) return
        const ticks = niceTicks({ min, max })
        const slack = max * 1e-6
        expect(ticks.length).toBeLessThanOrEqual(3)
        expect(ticks[0] ?? Infinity).toBeLessThanOrEqual(min + slack)
        expect(ticks.at(-1) ?? 0).toBeGreaterThanOrEqual(max - slack)
      }),
    )
  })
})

test('a linear scale can run in either direction, and maps every value of an empty range to the middle', () => {
  expect(linearScale([0, 10], [100, 0])(2.5)).toBe(75)
  expect(linearScale([5, 5], [0, 100])(5)).toBe(50)
})

test('bandScale maps a position in the chart to the nearest band', () => {
  const bands = bandScale(30, [40, 340])
  expect(bands.step).toBe(10)
  expect(bands.center(0)).toBe(45)
  expect([0, 44, 51, 339, 900].map(bands.at)).toEqual([0, 0, 1, 29, 29])
})

test.each([
  [30, 17, [0, 7, 14, 21, 29]],
  [30, 8, [0, 14, 29]],
  [14, 20, [0, 7, 13]],
  [30, 1, [29]],
  [1, 300, [0]],
  [0, 0, []],
])('if %d days are %d px apart, the labels of the chart are at %j', (count, step, expected) => {
  expect(labelledDays(count, step)).toEqual(expected)
})

test('bucketSums covers equal periods, and leaves out the oldest days if they do not fill a bucket', () => {
  expect(bucketSums([9, 1, 2, 3, 4], 2)).toEqual([3, 7])
  expect(bucketSums([1, 2], 10)).toEqual([1, 2])
})

test('runningTotal computes earlier totals from the current total and the additions since then', () => {
  expect(runningTotal([0, 2, 3], 12)).toEqual([7, 7, 9, 12])
})

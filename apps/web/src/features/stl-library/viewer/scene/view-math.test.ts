import { describe, expect, test } from 'vitest'
import {
  boxCorners,
  boxEdges,
  dimensionLines,
  fitDistance,
  homeDirection,
  isEndOn,
  NAMED_VIEWS,
  towardCamera,
  type Vec3,
} from './view-math.ts'

const BLOCK: Vec3 = [127, 63.5, 34.9]

describe('the initial view of a part', () => {
  test('the initial view shows flat parts from higher up than tall parts', () => {
    expect(homeDirection([100, 100, 5]).elevationDegrees).toBe(34)
    expect(homeDirection([100, 100, 80]).elevationDegrees).toBe(27)
    expect(homeDirection([20, 20, 90]).elevationDegrees).toBe(18)
  })

  test('the front view of a part looks from -y and its top view from above', () => {
    const [x, y] = towardCamera(NAMED_VIEWS[0] as (typeof NAMED_VIEWS)[number])
    expect([x, y]).toEqual([expect.closeTo(0), expect.closeTo(-1)])
    expect(towardCamera(NAMED_VIEWS[4] as (typeof NAMED_VIEWS)[number])[2]).toBeCloseTo(1)
  })
})

describe('the fitted view', () => {
  test('the fitted view shows the whole width of a wide block, even in a narrow window', () => {
    const front = { azimuthDegrees: -90, elevationDegrees: 0 }
    const expected = 63.5 / 2 + 127 / 2 / (Math.tan((10 * Math.PI) / 180) * 1.5)
    expect(fitDistance(BLOCK, front, 1.5, 1)).toBeCloseTo(expected, 6)
    expect(fitDistance(BLOCK, front, 0.6, 1)).toBeGreaterThan(expected)
  })

  test('the fitted view places the camera further away to fill less of the view', () => {
    const direction = homeDirection(BLOCK)
    expect(fitDistance(BLOCK, direction, 1.6, 0.5)).toBeGreaterThan(fitDistance(BLOCK, direction, 1.6, 0.8))
  })
})

describe('the bounding box', () => {
  test('seen from the front right and above, the bounding box hides the three edges at the far corner', () => {
    const edges = boxEdges(BLOCK, [400, -600, 500])
    const hidden = edges.filter((edge) => edge.isHidden)
    expect(edges).toHaveLength(12)
    expect(hidden).toHaveLength(3)
    // The far corner is left (bit 0 is not set), back (bit 1 is set) and on the floor.
    expect(hidden.every(({ from, to }) => from === 2 || to === 2)).toBe(true)
    expect(boxCorners(BLOCK)[2]).toEqual([-63.5, 31.75, 0])
  })

  test('if the camera is inside the bounding box, all edges of the box are hidden', () => {
    expect(boxEdges(BLOCK, [0, 0, 10]).every((edge) => edge.isHidden)).toBe(true)
  })

  test('the bounding box leaves out a dimension line that points at the camera', () => {
    expect([0, 1, 2].map((axis) => isEndOn(axis as 0 | 1 | 2, BLOCK, [0, -600, 17]))).toEqual([
      false,
      true,
      false,
    ])
    expect([0, 1, 2].map((axis) => isEndOn(axis as 0 | 1 | 2, BLOCK, [300, -500, 300]))).toEqual([
      false,
      false,
      false,
    ])
  })

  test('the dimensions of the bounding box are drawn on the sides that face the camera', () => {
    const [width, depth, height] = dimensionLines(BLOCK, [400, -600, 500], 0)
    expect(width?.from[1]).toBeLessThan(-31.75)
    expect(depth?.from[0]).toBeGreaterThan(63.5)
    expect(height?.to[2]).toBe(34.9)
    expect(height?.to[0]).toBeLessThan(-63.5)
  })
})

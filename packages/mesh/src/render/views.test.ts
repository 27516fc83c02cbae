import { describe, expect, it } from 'vitest'
import { type Picture, renderThumbnail } from './thumbnail.ts'
import { createBox } from '../../samples/shapes.ts'
import { renderBothSides, renderTurntable } from './views.ts'

const SIZE = 64
// The part is longer than wide, so that its sides can be distinguished.
const part = createBox(40, 12, 8)

/** Returns the first and last column and row of the part, without its shadow. The pixels of the part are opaque. */
function opaqueBox({ width, height, rgba }: Picture, top = 0) {
  let [left, right, upper, lower] = [width, -1, height, -1]
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      if (rgba[4 * ((top + y) * width + x) + 3]! < 250) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      upper = Math.min(upper, y)
      lower = Math.max(lower, y)
    }
  }
  return { left, right, upper, lower }
}

describe('drawing both sides of a part', () => {
  it('renderBothSides returns the thumbnail, and a different picture of the part from behind', () => {
    const { front, back } = renderBothSides(part, SIZE)
    expect(front).toEqual(renderThumbnail(part, { sizePx: SIZE }))
    const asThumbnail = renderThumbnail(part, { sizePx: SIZE, azimuthDeg: 125 })
    const differences = back.rgba.map((value, i) => Math.abs(value - asThumbnail.rgba[i]!))
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(2)
    expect(opaqueBox(back)).not.toEqual(opaqueBox(front))
  })

  it('renderBothSides returns two empty pictures if there is nothing to draw', () => {
    const { front, back } = renderBothSides(new Float32Array(9), SIZE)
    expect([...front.rgba, ...back.rgba].every((part) => part === 0)).toBe(true)
  })
})

describe('drawing a turntable', () => {
  const frames = 8
  const strip = renderTurntable(part, { sizePx: SIZE, frames })
  const boxes = Array.from({ length: frames }, (_, i) => opaqueBox(strip, i * SIZE))

  it('the frames of a turntable are arranged in a vertical strip', () => {
    expect([strip.width, strip.height]).toEqual([SIZE, frames * SIZE])
  })

  it('every frame of a turntable contains the whole part, which almost fills the widest frame', () => {
    for (const { left, right, upper, lower } of boxes) {
      expect(Math.min(left, upper)).toBeGreaterThan(0)
      expect(Math.max(right, lower)).toBeLessThan(SIZE - 1)
    }
    expect(Math.max(...boxes.map(({ left, right }) => right - left))).toBeGreaterThan(0.6 * SIZE)
  })

  it('a turntable turns the part around the middle of every frame', () => {
    for (const { left, right } of boxes) expect(Math.abs((left + right + 1) / 2 - SIZE / 2)).toBeLessThan(4)
  })

  it('a turntable shows the wide side and the narrow side of the part', () => {
    const widths = boxes.map(({ left, right }) => right - left)
    expect(Math.max(...widths)).toBeGreaterThan(1.5 * Math.min(...widths))
  })

  it('a turntable is empty if there is nothing to draw', () => {
    expect(
      renderTurntable(new Float32Array(9), { sizePx: 16, frames: 2 }).rgba.every((part) => part === 0),
    ).toBe(true)
  })
})

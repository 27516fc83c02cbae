import { describe, expect, it } from 'vitest'
import { type Picture, renderThumbnail } from './thumbnail.ts'
import { createDepthBuffer, type DepthBuffer, drawTriangles, type Projected } from './raster.ts'
import { createBox, createCube, createSphere, createTorus } from '../../samples/shapes.ts'

/**
 * Returns the mean of red, green, blue and alpha (0 to 255) in a section of the picture. The section is given
 * in shares of the picture's sides.
 */
function meanOf({ width, height, rgba }: Picture, left: number, top: number, right: number, bottom: number) {
  const sums = [0, 0, 0, 0]
  let count = 0
  for (let y = Math.floor(top * height); y < Math.ceil(bottom * height); y++) {
    for (let x = Math.floor(left * width); x < Math.ceil(right * width); x++) {
      for (let i = 0; i < 4; i++) sums[i]! += rgba[4 * (y * width + x) + i]!
      count++
    }
  }
  const [red = 0, green = 0, blue = 0, alpha = 0] = sums.map((sum) => sum / count)
  return { red, green, blue, alpha }
}

/** Returns the extent of the opaque pixels, in shares of the picture's sides. */
function opaqueExtent({ width, height, rgba }: Picture) {
  let [left, right, top, bottom] = [width, -1, height, -1]
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (rgba[4 * pixel + 3]! < 250) continue
    left = Math.min(left, pixel % width)
    right = Math.max(right, pixel % width)
    top = Math.min(top, Math.floor(pixel / width))
    bottom = Math.max(bottom, Math.floor(pixel / width))
  }
  return { across: (right + 1 - left) / width, upright: (bottom + 1 - top) / height }
}

function opaqueShare({ rgba }: Picture): number {
  let opaque = 0
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i]! > 250) opaque++
  return opaque / (rgba.length / 4)
}

/** The six corners of the two triangles that form one square. */
const CELL = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
  [1, 1],
  [0, 1],
] as const

function drawn(points: Projected, width: number, height: number): DepthBuffer {
  const buffer = createDepthBuffer(width, height, true)
  drawTriangles(buffer, points, null)
  return buffer
}

const cube = renderThumbnail(createCube(20), { sizePx: 160 })
const sphere = renderThumbnail(createSphere(15), { sizePx: 160 })
/** A small picture, for tests whose result does not depend on the size. */
const SMALL = { sizePx: 96 }
const smallCube = renderThumbnail(createCube(20), SMALL)

describe('drawing a thumbnail', () => {
  it('the part fills 80 % of its thumbnail', () => {
    const { across, upright } = opaqueExtent(cube)
    expect(Math.max(across, upright)).toBeGreaterThan(0.77)
    expect(Math.max(across, upright)).toBeLessThan(0.82)
    expect(opaqueShare(sphere)).toBeCloseTo(Math.PI * 0.4 ** 2, 1)
  })

  it('a thumbnail is transparent at the corners and opaque in the middle', () => {
    for (const [x, y] of [
      [0, 0],
      [0.96, 0],
      [0, 0.96],
      [0.96, 0.96],
    ] as const) {
      expect(meanOf(cube, x, y, x + 0.04, y + 0.04).alpha).toBeLessThan(1)
    }
    expect(meanOf(cube, 0.48, 0.48, 0.52, 0.52).alpha).toBe(255)
  })

  it('a part in a thumbnail is brightest on top, darker on the left and darkest on the right', () => {
    const top = meanOf(cube, 0.45, 0.18, 0.5, 0.22).green
    const left = meanOf(cube, 0.25, 0.5, 0.3, 0.6).green
    const right = meanOf(cube, 0.7, 0.5, 0.75, 0.6).green
    expect(top).toBeGreaterThan(left + 15)
    expect(left).toBeGreaterThan(right + 30)
    expect(right).toBeGreaterThan(80)
  })

  it('a thumbnail is shaded smoothly over a curved surface', () => {
    let largestStep = 0
    for (let x = 45; x < 110; x++) {
      const at = 4 * (80 * sphere.width + x) + 1
      largestStep = Math.max(largestStep, Math.abs(sphere.rgba[at]! - sphere.rgba[at + 4]!))
    }
    expect(largestStep).toBeLessThan(12)
  })

  it('a thumbnail has a shadow on the floor to the right of the part, but no shadow to the left', () => {
    const rightShadow = meanOf(sphere, 0.88, 0.6, 0.93, 0.75)
    const leftFloor = meanOf(sphere, 0.03, 0.45, 0.08, 0.6)
    expect(rightShadow.alpha).toBeGreaterThan(15)
    expect(rightShadow.green).toBeLessThan(60)
    expect(leftFloor.alpha).toBeLessThan(5)
  })

  it('a thumbnail shows the floor through a hole', () => {
    const torus = renderThumbnail(createTorus(20, 6), { ...SMALL, elevationDeg: 80 })
    expect(meanOf(torus, 0.47, 0.47, 0.5, 0.53).alpha).toBeLessThan(255)
  })

  it('a thumbnail looks the same each time, and does not depend on the winding of the triangles', () => {
    const again = renderThumbnail(createCube(20), SMALL)
    expect(Buffer.from(again.rgba).equals(Buffer.from(smallCube.rgba))).toBe(true)
    const turned = createCube(20)
    for (let i = 0; i < turned.length; i += 9) {
      const second = turned.slice(i + 3, i + 6)
      turned.copyWithin(i + 3, i + 6, i + 9)
      turned.set(second, i + 6)
    }
    const picture = renderThumbnail(turned, SMALL)
    const difference = picture.rgba.reduce((sum, value, i) => sum + Math.abs(value - smallCube.rgba[i]!), 0)
    expect(difference / picture.rgba.length).toBeLessThan(0.5)
  })

  it('a part drawn in meters, or a kilometer from the origin, fills the same share of its thumbnail', () => {
    const tiny = renderThumbnail(
      createCube(20).map((value) => value / 1024),
      SMALL,
    )
    const far = renderThumbnail(
      createCube(16).map((value) => value + 1_048_576),
      SMALL,
    )
    expect(Math.abs(opaqueShare(tiny) - opaqueShare(smallCube))).toBeLessThan(0.005)
    expect(Math.abs(opaqueShare(far) - opaqueShare(smallCube))).toBeLessThan(0.005)
  })

  it('a thumbnail shows the part in the color of the filament, so that even black parts are visible', () => {
    const red = meanOf(
      renderThumbnail(createCube(20), { sizePx: 96, tint: [0.7, 0.05, 0.03] }),
      0.45,
      0.45,
      0.5,
      0.5,
    )
    expect(red.red).toBeGreaterThan(3 * red.green)
    const black = renderThumbnail(createCube(20), { sizePx: 96, tint: [0, 0, 0] })
    expect(meanOf(black, 0.45, 0.18, 0.5, 0.22).green).toBeGreaterThan(
      meanOf(black, 0.7, 0.5, 0.75, 0.6).green + 8,
    )
  })

  it('a thumbnail has the requested aspect ratio', () => {
    const wide = renderThumbnail(createBox(60, 20, 10), { sizePx: 120, aspect: 1.5 })
    expect([wide.width, wide.height, wide.rgba.length]).toEqual([120, 80, 120 * 80 * 4])
    const upright = renderThumbnail(createBox(10, 10, 80), { sizePx: 120, aspect: 0.5 })
    expect([upright.width, upright.height]).toEqual([60, 120])
    expect(opaqueExtent(upright).upright).toBeGreaterThan(0.75)
  })

  it.each([
    { name: 'no triangles', positions: new Float32Array(0) },
    { name: 'a single point', positions: new Float32Array(9).fill(3) },
    { name: 'corners that are no numbers', positions: new Float32Array(9).fill(Number.NaN) },
  ])('a thumbnail is empty for $name', ({ positions }) => {
    expect(renderThumbnail(positions, { sizePx: 64 }).rgba.every((value) => value === 0)).toBe(true)
  })

  it.each([
    { name: 'one triangle', positions: Float32Array.of(0, 0, 0, 10, 0, 0, 0, 10, 0) },
    { name: 'a needle', positions: createBox(10_000, 1, 1) },
    { name: 'numbers near the limit of a float', positions: createCube(1).map((value) => value * 3e38) },
    {
      name: 'a cube with a triangle without area',
      positions: Float32Array.of(...createCube(), 0, 0, 0, 0, 0, 20, 0, 0, 10),
    },
  ])('a thumbnail shows at least a part of $name', ({ positions }) => {
    const picture = renderThumbnail(positions, { sizePx: 96 })
    expect(picture.rgba.some((value, i) => i % 4 === 3 && value > 60)).toBe(true)
  })

  it('a thumbnail clips triangles at the borders of the picture, and leaves out infinite triangles', () => {
    const points = {
      x: Float32Array.of(-40, 20, -40, 9.5, 9.4, 30, Number.NaN, 3, 2, 3e9, 5e9, 7e9, 1, Infinity, 1),
      y: Float32Array.of(-20, 4, 28, 0, 9, 5, 1, 2, 3, 0, 9, 5, 1, 2, 9),
      depth: new Float32Array(15).fill(1),
    }
    const { owners } = drawn(points, 10, 10)
    // The first triangle reaches from far left to far right of the picture. On the left, it covers the full height.
    expect([0, 40, 90].map((pixel) => owners![pixel])).toEqual([1, 1, 1])
    expect(owners!.filter((owner) => owner > 1)).toHaveLength(0)
  })

  it.each([2, 4, 7])(
    'a thumbnail draws a grid of triangles with %i corners per side without gaps or overlaps',
    (side) => {
      const corner = (i: number) => 1 + (i * 20) / (side - 1)
      const [xs, ys]: number[][] = [[], []]
      for (let row = 0; row + 1 < side; row++) {
        for (let column = 0; column + 1 < side; column++) {
          for (const [across, down] of CELL) {
            xs!.push(corner(column + across) + 0.31)
            ys!.push(corner(row + down) + 0.17)
          }
        }
      }
      const points = {
        x: Float32Array.from(xs!),
        y: Float32Array.from(ys!),
        depth: new Float32Array(xs!.length).fill(1),
      }
      const { owners } = drawn(points, 24, 24)
      // Twenty pixel centers on each side are inside, and each belongs to a triangle.
      expect(owners!.filter((owner) => owner > 0)).toHaveLength(400)
      expect(new Set(owners).size).toBe(1 + 2 * (side - 1) ** 2)
    },
  )
})

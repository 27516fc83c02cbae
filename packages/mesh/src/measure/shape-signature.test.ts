import { describe, expect, it } from 'vitest'
import {
  createBox,
  createBracket,
  createCone,
  createCube,
  createCylinder,
  createGear,
  createPlate,
  createSphere,
  createTorus,
  createVase,
} from '../../samples/shapes.ts'
import { createShapeMeter, type ShapeSignature } from './shape-signature.ts'
import { seededRandom } from '../../test/stl-tools.ts'

const SHAPES = {
  box: createBox(10, 20, 30),
  bracket: createBracket(),
  cone: createCone(),
  cube: createCube(),
  cylinder: createCylinder(),
  gear: createGear(),
  plate: createPlate(50, 30, 6),
  sphere: createSphere(),
  torus: createTorus(),
  vase: createVase(),
}

function signatureOf(positions: Float32Array): ShapeSignature {
  const meter = createShapeMeter()
  for (let at = 0; at < positions.length; at += 900) {
    const block = positions.subarray(at, at + 900)
    meter.sink(block, block.length / 9)
  }
  return meter.finish()
}

/**
 * Returns whether two signatures may belong to the same shape: all measures except the box and the triangle
 * count differ by at most `tolerance`.
 */
function isSameShape(a: ShapeSignature, b: ShapeSignature, tolerance = 1e-3): boolean {
  const near = (one: number, other: number, scale: number) => Math.abs(one - other) <= tolerance * scale
  const [size] = a.radiiMm
  return (
    near(a.areaMm2, b.areaMm2, a.areaMm2) &&
    near(a.volumeMm3, b.volumeMm3, a.areaMm2 * size) &&
    near(a.reachMm, b.reachMm, a.reachMm) &&
    a.radiiMm.every((radius, i) => near(radius, b.radiiMm[i]!, size))
  )
}

/** Returns the mesh randomly rotated and moved, with its triangles in another order. */
function disguised(positions: Float32Array, random: () => number): Float32Array {
  const [a, b, c] = [random() * 7, random() * 7, random() * 7]
  const move = [random() * 200 - 100, random() * 200 - 100, random() * 200 - 100]
  const order = Array.from({ length: positions.length / 9 }, (_, i) => ({ i, key: random() })).toSorted(
    (one, other) => one.key - other.key,
  )
  const out = new Float32Array(positions.length)
  for (const [target, { i }] of order.entries()) {
    for (let corner = 0; corner < 3; corner++) {
      const [x = 0, y = 0, z = 0] = positions.subarray(9 * i + 3 * corner, 9 * i + 3 * corner + 3)
      const [x1, y1] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)]
      const [y2, z2] = [y1 * Math.cos(b) - z * Math.sin(b), y1 * Math.sin(b) + z * Math.cos(b)]
      const [x3, z3] = [x1 * Math.cos(c) - z2 * Math.sin(c), x1 * Math.sin(c) + z2 * Math.cos(c)]
      out.set([x3 + move[0]!, y2 + move[1]!, z3 + move[2]!], 9 * target + 3 * corner)
    }
  }
  return out
}

describe('the signature of a shape', () => {
  it('the shape signature of a cube and of a sphere has the known values', () => {
    const cube = signatureOf(SHAPES.cube)
    expect(cube.extentsMm).toEqual([20, 20, 20])
    expect(cube.areaMm2).toBeCloseTo(2400, 6)
    expect(cube.volumeMm3).toBeCloseTo(8000, 6)
    // A cube has two faces at distance a/2, and four faces that spread over a²/12: a² (2/4 + 4/12) / 6 =
    // 5a²/36.
    for (const radius of cube.radiiMm) expect(radius).toBeCloseTo(Math.sqrt((5 / 36) * 400), 4)
    const sphere = signatureOf(createSphere(15, 256))
    for (const radius of sphere.radiiMm) expect(radius).toBeCloseTo(15 / Math.sqrt(3), 2)
    expect(sphere.reachMm).toBeCloseTo(15, 2)
  })

  it('the shape signature stays the same if the model is rotated, moved or shuffled, and differs for other shapes', () => {
    const random = seededRandom(5)
    let sameWord = 0
    let runs = 0
    for (const positions of Object.values(SHAPES)) {
      const signature = signatureOf(positions)
      for (let run = 0; run < 5; run++) {
        const other = signatureOf(disguised(positions, random))
        expect(isSameShape(signature, other)).toBe(true)
        runs++
        if (other.hash === signature.hash) sameWord++
      }
    }
    console.log(`shape hashes equal after turning and moving ${sameWord} of ${runs}`)
    expect(sameWord).toBeGreaterThanOrEqual(0.98 * runs)
    const signatures = Object.values(SHAPES).map(signatureOf)
    expect(new Set(signatures.map((signature) => signature.hash)).size).toBe(signatures.length)
    for (const [i, one] of signatures.entries()) {
      for (const other of signatures.slice(i + 1)) expect(isSameShape(one, other)).toBe(false)
    }
  })

  it('a part that is scaled to 103 % has another shape signature', () => {
    const larger = signatureOf(SHAPES.gear.map((value) => value * 1.03))
    expect(larger.hash).not.toBe(signatureOf(SHAPES.gear).hash)
    expect(isSameShape(larger, signatureOf(SHAPES.gear))).toBe(false)
  })

  it('the shape signature of a mesh is the same every time and contains only valid numbers, even for a mesh without area', () => {
    expect(signatureOf(SHAPES.vase)).toEqual(signatureOf(SHAPES.vase))
    const nothing = signatureOf(new Float32Array(9))
    expect(nothing).toMatchObject({ areaMm2: 0, volumeMm3: 0, reachMm: 0, hash: 's1.-.-.-.-.-' })
  })
})

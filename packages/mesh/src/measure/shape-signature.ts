import { createBoundingBox } from './bounding-box.ts'
import type { TriangleSink } from '../types.ts'

/**
 * Properties that are nearly equal in all files of one shape. They do not depend on the part's position or on the order
 * of its triangles.
 */
export type ShapeSignature = {
  triangles: number
  /**
   * Dimensions of the bounding box, largest first. They can be compared only for parts that are rotated by multiples of
   * 90 degrees.
   */
  extentsMm: [number, number, number]
  areaMm2: number
  /** The volume, which is never negative. The less closed the surface is, the less reliable it is. */
  volumeMm3: number
  /**
   * Radii of gyration of the surface along its three principal axes, largest first. They say how far the surface
   * extends along each axis.
   */
  radiiMm: [number, number, number]
  /** Fourth root of the mean of r⁴, where r is the distance of a surface point from the center of the surface. */
  reachMm: number
  /**
   * A hash that is equal for equal shapes, even if a mesh is rotated, moved, mirrored or has its triangles in another
   * order. See `shapeHash`.
   */
  hash: string
}

/**
 * Measures are rounded to this many steps per unit of their natural logarithm, so one step is 2 %. Rounding errors of
 * single precision are ten thousand times smaller.
 */
const STEPS = 50
/** A radius below this share of the largest radius counts as zero: the part is flat, and its value is only noise. */
const FLAT = 1e-3

/**
 * Measures a shape while its triangles are read, in constant memory. Pass every triangle once, then call
 * `finish`.
 *
 * Let A be the area and c the center of the surface, both exact sums. The eigenvalues of the second moments
 * C = ∫ (x − c)(x − c)ᵀ dA / A do not change with a rotation; `radiiMm` are their square roots. The integrals
 * use the midpoints of the edges, which is exact up to the second power. `reachMm` = (∫ |x − c|⁴ dA / A)^¼
 * uses the same points, so it depends slightly on how a face is divided into triangles.
 */
export function createShapeMeter(): { sink: TriangleSink; finish(): ShapeSignature } {
  const origin = new Float64Array(3)
  const box = createBoundingBox()
  // The sums are ∫ dA, ∫ x, y, z, ∫ xx, yy, zz, xy, xz, yz, ∫ |r|² x, y, z, ∫ |r|⁴, all about the first
  // corner, and then six volumes.
  const sums = new Float64Array(15)
  let triangles = 0

  function addPoint(x: number, y: number, z: number, weight: number) {
    const square = x * x + y * y + z * z
    sums[0]! += weight
    sums[1]! += weight * x
    sums[2]! += weight * y
    sums[3]! += weight * z
    sums[4]! += weight * x * x
    sums[5]! += weight * y * y
    sums[6]! += weight * z * z
    sums[7]! += weight * x * y
    sums[8]! += weight * x * z
    sums[9]! += weight * y * z
    sums[10]! += weight * square * x
    sums[11]! += weight * square * y
    sums[12]! += weight * square * z
    sums[13]! += weight * square * square
  }

  function addTriangle(block: Float32Array, at: number) {
    const ax = block[at]! - origin[0]!
    const ay = block[at + 1]! - origin[1]!
    const az = block[at + 2]! - origin[2]!
    const bx = block[at + 3]! - origin[0]!
    const by = block[at + 4]! - origin[1]!
    const bz = block[at + 5]! - origin[2]!
    const cx = block[at + 6]! - origin[0]!
    const cy = block[at + 7]! - origin[1]!
    const cz = block[at + 8]! - origin[2]!
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    sums[14]! += ax * nx + ay * ny + az * nz
    const weight = Math.sqrt(nx * nx + ny * ny + nz * nz) / 6
    addPoint((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2, weight)
    addPoint((bx + cx) / 2, (by + cy) / 2, (bz + cz) / 2, weight)
    addPoint((cx + ax) / 2, (cy + ay) / 2, (cz + az) / 2, weight)
  }

  return {
    sink(block, count) {
      if (triangles === 0 && count > 0) for (let axis = 0; axis < 3; axis++) origin[axis] = block[axis]!
      for (let at = 0; at < 9 * count; at += 9) addTriangle(block, at)
      box.grow(block, count)
      triangles += count
    },
    finish() {
      const extents = box.max
        .map((high, axis) => Math.max(0, high - box.min[axis]!))
        .sort()
        .reverse()
      const measures = {
        triangles,
        extentsMm: [...extents] as [number, number, number],
        areaMm2: sums[0]!,
        volumeMm3: Math.abs(sums[14]!) / 6,
        ...aboutCenter(sums),
      }
      return { ...measures, hash: shapeHash(measures) }
    },
  }
}

function aboutCenter(sums: Float64Array): Pick<ShapeSignature, 'radiiMm' | 'reachMm'> {
  const area = sums[0]!
  if (area === 0) return { radiiMm: [0, 0, 0], reachMm: 0 }
  const at = (index: number) => sums[index]! / area
  const [x, y, z] = [at(1), at(2), at(3)]
  const moments = {
    xx: at(4) - x * x,
    yy: at(5) - y * y,
    zz: at(6) - z * z,
    xy: at(7) - x * y,
    xz: at(8) - x * z,
    yz: at(9) - y * z,
  }
  const radii = symmetricEigenvalues(moments).map((value) => Math.sqrt(Math.max(0, value)))
  const square = x * x + y * y + z * z
  const alongCenter =
    x * x * at(4) + y * y * at(5) + z * z * at(6) + 2 * (x * y * at(7) + x * z * at(8) + y * z * at(9))
  // The integral of |r − c|⁴, which is multiplied out so that each term is one of the sums.
  const fourth =
    at(13) +
    4 * alongCenter -
    3 * square * square -
    4 * (x * at(10) + y * at(11) + z * at(12)) +
    2 * square * (at(4) + at(5) + at(6))
  return { radiiMm: radii as [number, number, number], reachMm: Math.max(0, fourth) ** 0.25 }
}

/**
 * Returns a hash of the shape: `s1`, followed by the area, the reach and the three radii. Each measure v is rounded to
 * a step ⌊50 ln v + ½⌋, in base 36. Two files of one part nearly always have the same hash. In about one pair in a
 * thousand, a measure is rounded to different steps, so callers that must find all pairs also compare the measures.
 * Different parts with the same hash agree in all five measures within 2 %, so a person has to decide whether they are
 * the same.
 */
function shapeHash({ areaMm2, reachMm, radiiMm }: Omit<ShapeSignature, 'hash'>): string {
  const flat = FLAT * radiiMm[0]
  const words = [areaMm2, reachMm, ...radiiMm].map((value) => {
    return value <= flat || value === 0 ? '-' : Math.floor(STEPS * Math.log(value) + 0.5).toString(36)
  })
  return `s1.${words.join('.')}`
}

/** The six distinct entries of a symmetric 3 × 3 matrix. */
type Symmetric = { xx: number; yy: number; zz: number; xy: number; xz: number; yz: number }

/**
 * Returns the eigenvalues, largest first, in closed form (O. K. Smith, "Eigenvalues of a symmetric 3 × 3
 * matrix", 1961).
 */
function symmetricEigenvalues(m: Symmetric): [number, number, number] {
  const offDiagonal = m.xy ** 2 + m.xz ** 2 + m.yz ** 2
  const mean = (m.xx + m.yy + m.zz) / 3
  const spread = (m.xx - mean) ** 2 + (m.yy - mean) ** 2 + (m.zz - mean) ** 2 + 2 * offDiagonal
  const p = Math.sqrt(spread / 6)
  if (p === 0) return [mean, mean, mean]
  const [a, b, c] = [(m.xx - mean) / p, (m.yy - mean) / p, (m.zz - mean) / p]
  const [d, e, f] = [m.xy / p, m.xz / p, m.yz / p]
  const half = (a * b * c + 2 * d * e * f - a * f * f - b * e * e - c * d * d) / 2
  const angle = Math.acos(Math.min(1, Math.max(-1, half))) / 3
  const largest = mean + 2 * p * Math.cos(angle)
  const smallest = mean + 2 * p * Math.cos(angle + (2 * Math.PI) / 3)
  return [largest, 3 * mean - largest - smallest, smallest]
}

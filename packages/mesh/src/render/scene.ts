import { createBoundingBox } from '../bounding-box.ts'
import { weldVertices } from '../weld.ts'
import { createTriangleSampler, triangleArea } from './sample.ts'

/** Triangles in scene units: the box of the part centred on the origin, half its diagonal as the unit, z up. */
export type Triangles = {
  /** x, y, z of each vertex. */
  vertices: Float32Array
  /** Three vertex numbers per triangle; null where no triangles share any: then the vertices follow each other. */
  corners: Int32Array | null
}

/** A mesh made ready for drawing. */
export type Scene = Triangles & {
  triangleCount: number
  /** Half the box's extent along each axis, so the floor lies at −halfSize[2]. */
  halfSize: readonly [number, number, number]
  /** What throws the same shadows with no more triangles than they can show. */
  casters: Triangles
}

/** Below this, welding takes no time that anybody would notice. */
const FEW_TRIANGLES = 150_000
/** About a pixel of a thumbnail, as a square of scene units. */
const PIXEL_AREA = 1 / 200 ** 2
/** Larger triangles may make up this share of a fine mesh. */
const COARSE_SHARE = 0.1
/** As fine as the maps that shadows are looked up in. */
const MAX_CASTERS = 80_000

/**
 * Returns null where there is nothing to draw: no triangle, or all in one point. A mesh is welded, so that normals can
 * be smoothed, unless it is fine: where nearly every triangle is smaller than a pixel, its own normal serves as well.
 */
export function createScene(positions: Float32Array): Scene | null {
  const box = measureBox(positions)
  if (!box) return null
  const { halfSize } = box
  const triangleCount = Math.floor(positions.length / 9)
  if (triangleCount <= FEW_TRIANGLES) {
    const drawn = weldTriangles(positions, box)
    return { ...drawn, triangleCount, halfSize, casters: drawn }
  }
  const vertices = new Float32Array(9 * triangleCount)
  center(positions, box, vertices)
  const { total, coarse } = measureAreas(vertices)
  const sampler = createTriangleSampler(total, MAX_CASTERS)
  sampler.sink(vertices, triangleCount)
  const casters = { vertices: sampler.positions(), corners: null }
  const isFine = coarse < COARSE_SHARE * total
  const drawn = isFine ? { vertices, corners: null } : weldTriangles(positions, box)
  return { ...drawn, triangleCount, halfSize, casters }
}

function weldTriangles(positions: Float32Array, box: Box): Triangles {
  const { ids, points } = weldVertices(positions)
  center(points, box, points)
  return { vertices: points, corners: ids }
}

type Box = { min: readonly number[]; half: readonly number[]; radius: number; halfSize: Scene['halfSize'] }

function measureBox(positions: Float32Array): Box | null {
  const extent = createBoundingBox()
  extent.grow(positions, Math.floor(positions.length / 9))
  const min = [...extent.min]
  const max = [...extent.max]
  const half = min.map((low, axis) => (max[axis]! - low) / 2)
  const radius = Math.hypot(...half)
  if (!(radius > 0 && radius < Infinity)) return null
  const halfSize = [half[0]! / radius, half[1]! / radius, half[2]! / radius] as const
  return { min, half, radius, halfSize }
}

/** In double precision: far from the origin, floats would lose the digits that make the shape. */
function center(from: Float32Array, { min, half, radius }: Box, into: Float32Array) {
  const [lowX, lowY, lowZ] = [min[0]!, min[1]!, min[2]!]
  const [halfX, halfY, halfZ] = [half[0]!, half[1]!, half[2]!]
  for (let i = 0; i < into.length; i += 3) {
    into[i] = (from[i]! - lowX - halfX) / radius
    into[i + 1] = (from[i + 1]! - lowY - halfY) / radius
    into[i + 2] = (from[i + 2]! - lowZ - halfZ) / radius
  }
}

/** Of all triangles, and of those larger than a pixel. */
function measureAreas(vertices: Float32Array): { total: number; coarse: number } {
  let total = 0
  let coarse = 0
  for (let at = 0; at < vertices.length; at += 9) {
    const area = triangleArea(vertices, at)
    // One that is not finite is not drawn either.
    if (!(area < Infinity)) continue
    total += area
    if (area > PIXEL_AREA) coarse += area
  }
  return { total, coarse }
}

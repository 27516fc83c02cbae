import { weldVertices } from '../topology/weld.ts'
import { type Blocks, boxBlocks } from './blocks.ts'
import { createTriangleSampler, triangleArea } from './triangle-sampler.ts'
import type { Direction } from './vectors.ts'

/**
 * Triangles in scene units: the center of the part's box is the origin, half its diagonal is the unit, and z points
 * up.
 */
export type Triangles = {
  /** The coordinates x, y, z of each vertex. */
  vertices: Float32Array
  /**
   * Three vertex indices per triangle. Null if no triangles share vertices; the vertices are then
   * consecutive.
   */
  corners: Int32Array | null
}

/** The position of a mesh in the scene: a vertex v is at (v − origin) / unit. */
export type Placement = { origin: Direction; unit: number }

/**
 * A mesh prepared for drawing. The vertices of a fine mesh stay in file units, and are converted to scene units
 * during projection, which is faster than a copy.
 */
export type Scene = Triangles & {
  placement: Placement
  blocks: Blocks
  triangleCount: number
  /** Half the box's extent along each axis. The floor is therefore at −halfSize[2]. */
  halfSize: Direction
  /** A simplified mesh that casts the same shadows, in scene units. */
  casters: Triangles
}

/** Meshes with at most this many triangles are always welded, because that takes no noticeable time. */
const FEW_TRIANGLES = 150_000
/** About the area of one pixel in a thumbnail, in square scene units. */
const PIXEL_AREA = 1 / 200 ** 2
/** A mesh is fine if triangles larger than a pixel have less than this share of its area. */
const COARSE_SHARE = 0.1
/** Maximum number of triangles that cast shadows. With this many, they are as fine as the pixels of the light maps. */
const MAX_CASTERS = 80_000

/**
 * Prepares a mesh for drawing. Returns null if it has no triangle, or if all triangles are in one point. A mesh is
 * welded, so that its normals can be smoothed. A fine mesh, in which almost every triangle is smaller than a pixel, is
 * not welded, because the triangles' own normals are enough. Its scene uses `positions` itself, so do not change
 * `positions` until it is drawn.
 */
export function createScene(positions: Float32Array): Scene | null {
  const triangleCount = Math.floor(positions.length / 9)
  const whole = positions.subarray(0, 9 * triangleCount)
  const blocks = boxBlocks(whole)
  const box = placeBox(blocks)
  if (!box) return null
  const { placement, halfSize } = box
  if (triangleCount <= FEW_TRIANGLES) {
    const drawn = weldTriangles(whole, placement)
    return { ...drawn, triangleCount, halfSize, casters: drawn }
  }
  const { total, coarse } = measureAreas(whole, PIXEL_AREA * placement.unit ** 2)
  const sampler = createTriangleSampler(total, MAX_CASTERS)
  sampler.sink(whole, triangleCount)
  const vertices = sampler.positions()
  place(vertices, placement)
  const casters = { vertices, corners: null }
  const isFine = coarse < COARSE_SHARE * total
  const drawn = isFine
    ? { vertices: whole, corners: null, placement, blocks }
    : weldTriangles(whole, placement)
  return { ...drawn, triangleCount, halfSize, casters }
}

function weldTriangles(positions: Float32Array, placement: Placement) {
  const { ids, points } = weldVertices(positions)
  place(points, placement)
  return { vertices: points, corners: ids, placement: IN_SCENE, blocks: boxBlocks(points) }
}

const IN_SCENE: Placement = { origin: [0, 0, 0], unit: 1 }

/**
 * Calculates the position of a part in the scene from its bounding box. Returns null if the box is not finite or has no
 * size.
 */
function placeBox({ min, max }: Blocks): { placement: Placement; halfSize: Direction } | null {
  const halfX = (max[0] - min[0]) / 2
  const halfY = (max[1] - min[1]) / 2
  const halfZ = (max[2] - min[2]) / 2
  const unit = Math.hypot(halfX, halfY, halfZ)
  if (!(unit > 0 && unit < Infinity)) return null
  return {
    placement: { origin: [min[0] + halfX, min[1] + halfY, min[2] + halfZ], unit },
    halfSize: [halfX / unit, halfY / unit, halfZ / unit],
  }
}

/**
 * Moves vertices into the scene, in place. It uses double precision, because floats far from the origin would lose the
 * digits of the shape.
 */
function place(vertices: Float32Array, { origin: [x, y, z], unit }: Placement) {
  for (let i = 0; i < vertices.length; i += 3) {
    vertices[i] = (vertices[i]! - x) / unit
    vertices[i + 1] = (vertices[i + 1]! - y) / unit
    vertices[i + 2] = (vertices[i + 2]! - z) / unit
  }
}

/** Sums up the area of all triangles (`total`), and the area of those larger than `pixelArea` (`coarse`). */
function measureAreas(vertices: Float32Array, pixelArea: number): { total: number; coarse: number } {
  let total = 0
  let coarse = 0
  for (let at = 0; at < vertices.length; at += 9) {
    const area = triangleArea(vertices, at)
    // Skip a triangle that is not finite, because it is not drawn either.
    if (!(area < Infinity)) continue
    total += area
    if (area > pixelArea) coarse += area
  }
  return { total, coarse }
}

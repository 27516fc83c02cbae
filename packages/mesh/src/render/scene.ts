import { weldVertices } from '../weld.ts'

/** A mesh made ready for drawing: welded, its box centred on the origin, half the box's diagonal as the unit. */
export type Scene = {
  /** x, y, z of each vertex; z up. */
  vertices: Float32Array
  vertexCount: number
  /** Three vertex numbers per triangle. */
  corners: Int32Array
  triangleCount: number
  /** Half the box's extent along each axis, so the floor lies at −halfSize[2]. */
  halfSize: readonly [number, number, number]
}

/** Returns null where there is nothing to draw: no triangle, or all in one point. */
export function createScene(positions: Float32Array): Scene | null {
  const { ids, vertexCount, points } = weldVertices(positions)
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3
    const value = points[i]!
    if (value < min[axis]!) min[axis] = value
    if (value > max[axis]!) max[axis] = value
  }
  const half = min.map((low, axis) => (max[axis]! - low) / 2) as [number, number, number]
  const radius = Math.hypot(...half)
  if (!(radius > 0 && radius < Infinity)) return null
  // In double precision: far from the origin, floats would lose the digits that make the shape. In place: the
  // welded points are ours.
  for (let i = 0; i < points.length; i++) points[i] = (points[i]! - min[i % 3]! - half[i % 3]!) / radius
  const halfSize = [half[0] / radius, half[1] / radius, half[2] / radius] as const
  return { vertices: points, vertexCount, corners: ids, triangleCount: ids.length / 3, halfSize }
}

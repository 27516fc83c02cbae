import { countTriangles, type DepthBuffer, type Projected } from './raster.ts'

/** Maximum number of triangles whose edges are drawn. This many are enough to show that something is there. */
const MAX_OUTLINES = 20_000

/**
 * Draws the edges of the triangles, one pixel wide. This makes parts visible that are thinner than a pixel, such as a
 * needle or a sheet seen from its edge, whose triangles may not cover the center of any pixel.
 */
export function drawOutlines(buffer: DepthBuffer, points: Projected, corners: Int32Array | null) {
  const count = countTriangles(points, corners)
  const vertexAt = (corner: number) => (corners ? corners[corner]! : corner)
  for (let triangle = 0; triangle < count; triangle += Math.ceil(count / MAX_OUTLINES)) {
    for (let i = 0; i < 3; i++) {
      const from = vertexAt(3 * triangle + i)
      drawLine(buffer, points, from, vertexAt(3 * triangle + ((i + 1) % 3)), triangle + 1)
    }
  }
}

function drawLine(buffer: DepthBuffer, points: Projected, a: number, b: number, owner: number) {
  const { width, height, depth, owners } = buffer
  const dx = points.x[b]! - points.x[a]!
  const dy = points.y[b]! - points.y[a]!
  const steps = Math.min(width + height, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)))) || 1
  for (let step = 0; step <= steps; step++) {
    const column = Math.round(points.x[a]! + (dx * step) / steps)
    const row = Math.round(points.y[a]! + (dy * step) / steps)
    if (!(column >= 0 && row >= 0 && column < width && row < height)) continue
    const z = points.depth[a]! + ((points.depth[b]! - points.depth[a]!) * step) / steps
    const pixel = row * width + column
    if (!(z > depth[pixel]!)) continue
    depth[pixel] = z
    if (owners) owners[pixel] = owner
  }
}

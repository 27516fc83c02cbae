/** A depth buffer (larger values are nearer) and, optionally, the nearest triangle at each pixel. */
export type DepthBuffer = {
  width: number
  height: number
  depth: Float32Array
  /** Triangle number + 1 at each pixel, or 0 if nothing was drawn there. */
  owners: Int32Array | null
  /** Work for everything drawn so far, counted in pixels. */
  spent: number
}

/**
 * Vertices on the screen. `x` and `y` are whole numbers at the centers of pixels, and `depth` is linear across the
 * screen.
 */
export type Projected = { x: Float32Array; y: Float32Array; depth: Float32Array }

export const createProjected = (vertexCount: number): Projected => ({
  x: new Float32Array(vertexCount),
  y: new Float32Array(vertexCount),
  depth: new Float32Array(vertexCount),
})

/** Returns the number of triangles. `corners` is null if each three consecutive points form a triangle. */
export const countTriangles = (points: Projected, corners: Int32Array | null): number =>
  Math.floor((corners ?? points.x).length / 3)

/** A triangle with a smaller area in pixels is not drawn, because its slopes cannot be calculated. */
const MIN_AREA = 1e-9
/** Each row of a triangle is widened by this many pixels, so that rounding leaves no gap between neighbors. */
const OVERLAP_PX = 1e-3

export function createDepthBuffer(width: number, height: number, hasOwners: boolean): DepthBuffer {
  const pixels = width * height
  const depth = new Float32Array(pixels).fill(-Infinity)
  return { width, height, depth, owners: hasOwners ? new Int32Array(pixels) : null, spent: 0 }
}

/**
 * Limits the work to that of filling the whole picture this many times. Real parts stay far below. Beyond this limit,
 * the same amount of work once more is divided among all triangles, so that a file of picture-filling triangles also
 * takes limited time.
 */
const FULL_LAYERS = 48
/**
 * Triangles whose box has at most this many pixels are always drawn completely, because their work depends only on
 * their number.
 */
const FREE_PIXELS = 16
/** Work for starting a row of a triangle, counted in pixels. */
const ROW_COST = 4

/**
 * Number of triangles that are projected in one step if they share no vertices. Their data fit into the processor's
 * cache.
 */
const PART_TRIANGLES = 1024

/**
 * A mesh to draw. `corners` has three vertex numbers per triangle, or is null if each three consecutive vertices form
 * one.
 */
type Mesh = { vertices: Float32Array; corners: Int32Array | null }

/** Projects vertices (x, y, z each) onto the screen. */
export type Projection = (vertices: Float32Array, into: Projected) => void

/**
 * Creates the buffer for the projected vertices of a mesh. A mesh without `corners` is projected piece by piece, so its
 * buffer is small.
 */
export const createScratch = ({ vertices, corners }: Mesh): Projected =>
  createProjected(corners ? vertices.length / 3 : 3 * PART_TRIANGLES)

/**
 * Projects a mesh and draws its triangles. `scratch` comes from `createScratch` and may be used for several
 * pictures of the mesh.
 */
export function drawProjected(
  buffer: DepthBuffer,
  { vertices, corners }: Mesh,
  project: Projection,
  scratch: Projected,
) {
  if (corners) {
    project(vertices, scratch)
    drawTriangles(buffer, scratch, corners)
    return
  }
  const of = Math.floor(vertices.length / 9)
  for (let first = 0; first < of; first += PART_TRIANGLES) {
    const count = Math.min(PART_TRIANGLES, of - first)
    project(vertices.subarray(9 * first, 9 * (first + count)), scratch)
    drawTriangles(buffer, scratch, null, { first, count, of })
  }
}

/**
 * Draws triangles from both sides, because files with a wrong winding must also look complete. Triangles that
 * cover no pixel center, have no area or are not finite are not visible. The work depends on the picture's
 * size and the number of triangles, but not on their area.
 *
 * `corners` has three vertex numbers per triangle. It is null if the vertices are consecutive. A mesh may be
 * drawn in parts. `part` then contains the number of its first triangle, and the number of triangles of the
 * whole mesh.
 */
export function drawTriangles(
  buffer: DepthBuffer,
  points: Projected,
  corners: Int32Array | null,
  part: { first: number; count: number; of: number } = wholeOf(points, corners),
) {
  const { width, height, depth, owners } = buffer
  const { x, y, depth: z } = points
  const allowance = FULL_LAYERS * width * height
  const { first } = part
  for (let triangle = 0; triangle < part.count; triangle++) {
    const corner = 3 * triangle
    const a = corners ? corners[corner]! : corner
    const b = corners ? corners[corner + 1]! : corner + 1
    const c = corners ? corners[corner + 2]! : corner + 2
    const xa = x[a]!
    const xb = x[b]!
    const xc = x[c]!
    const minX = xa < xb ? (xa < xc ? xa : xc) : xb < xc ? xb : xc
    const maxX = xa > xb ? (xa > xc ? xa : xc) : xb > xc ? xb : xc
    if (!(minX < width && maxX > -1)) continue
    // Round the left side up and the right side down to whole pixels. `| 0` is faster than Math.ceil and Math.floor.
    const left = width - ((width + OVERLAP_PX - (minX > 0 ? minX : 0)) | 0)
    const right = ((maxX < width - 1 ? maxX : width - 1) + OVERLAP_PX) | 0
    if (left > right) continue
    const ya = y[a]!
    const yb = y[b]!
    const yc = y[c]!
    const minY = ya < yb ? (ya < yc ? ya : yc) : yb < yc ? yb : yc
    const maxY = ya > yb ? (ya > yc ? ya : yc) : yb > yc ? yb : yc
    if (!(minY < height && maxY > -1)) continue
    const top = height - ((height + OVERLAP_PX - (minY > 0 ? minY : 0)) | 0)
    const bottom = ((maxY < height - 1 ? maxY : height - 1) + OVERLAP_PX) | 0
    if (top > bottom) continue
    const owner = first + triangle + 1
    const rows = bottom - top + 1
    const box = (right - left + 1) * rows
    if (box > FREE_PIXELS) {
      const area = Math.abs((xb - xa) * (yc - ya) - (yb - ya) * (xc - xa)) / 2
      const cost = (area < box ? area : box) + ROW_COST * rows
      if (buffer.spent + cost > allowance * (1 + (first + triangle) / part.of)) continue
      buffer.spent += cost
      drawTriangle(buffer, points, a, b, c, left, right, top, bottom, owner)
      continue
    }
    // This part does the same as `drawTriangle`, but tests the center of every pixel in the box. Most triangles of a
    // fine mesh cover only one or two pixels, so this is faster than a function call or calculating the start and end
    // of each row.
    const ux = xb - xa
    const uy = yb - ya
    const vx = xc - xa
    const vy = yc - ya
    const cross = ux * vy - uy * vx
    const area = Math.abs(cross)
    if (!(area > MIN_AREA)) continue
    const sign = cross > 0 ? 1 : -1
    const stepU = sign * uy
    const stepV = sign * vy
    const za = z[a]!
    const uz = z[b]! - za
    const vz = z[c]! - za
    const nearest = za + (uz > vz ? (uz > 0 ? uz : 0) : vz > 0 ? vz : 0)
    const farthest = za + (uz < vz ? (uz < 0 ? uz : 0) : vz < 0 ? vz : 0)
    const leastU = -OVERLAP_PX * Math.abs(uy)
    const leastV = -OVERLAP_PX * Math.abs(vy)
    const leastW = -OVERLAP_PX * Math.abs(vy - uy)
    for (let row = top; row <= bottom; row++) {
      const dy = row - ya
      const rowU = sign * ux * dy
      const rowV = sign * vx * dy
      for (let column = left; column <= right; column++) {
        const pixel = row * width + column
        // Half of all triangles are hidden behind others, so test the depth before anything else.
        if (!(nearest > depth[pixel]!)) continue
        const dx = column - xa
        // Twice the areas of the triangles that the center of the pixel forms with the edges of this triangle.
        const alongU = rowU - stepU * dx
        const alongV = stepV * dx - rowV
        if (alongU < leastU || alongV < leastV || area - alongU - alongV < leastW) continue
        const lifted = za + (uz * alongV + vz * alongU) / area
        const nearness = lifted > nearest ? nearest : lifted < farthest ? farthest : lifted
        if (!(nearness > depth[pixel]!)) continue
        depth[pixel] = nearness
        if (owners) owners[pixel] = owner
      }
    }
  }
}

function wholeOf(points: Projected, corners: Int32Array | null) {
  const count = countTriangles(points, corners)
  return { first: 0, count, of: count }
}

function drawTriangle(
  buffer: DepthBuffer,
  points: Projected,
  a: number,
  b: number,
  c: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
  owner: number,
) {
  const { width, depth, owners } = buffer
  const ax = points.x[a]!
  const ay = points.y[a]!
  const az = points.depth[a]!
  const ux = points.x[b]! - ax
  const uy = points.y[b]! - ay
  const uz = points.depth[b]! - az
  const vx = points.x[c]! - ax
  const vy = points.y[c]! - ay
  const vz = points.depth[c]! - az
  const area = ux * vy - uy * vx
  if (!(Math.abs(area) > MIN_AREA)) return
  const slopeX = (uz * vy - vz * uy) / area
  const slopeY = (vz * ux - uz * vx) / area
  // The slopes of a very thin triangle are huge and imprecise, so its depth is kept within the range of its corners.
  const nearest = az + Math.max(0, uz, vz)
  const farthest = az + Math.min(0, uz, vz)
  // Each edge is described by the x at which it crosses a row, x = start + step (y − ay), and by whether the inside of
  // the triangle is to its right.
  const sign = area > 0 ? 1 : -1
  const stepU = ux / uy
  const stepV = vx / vy
  const stepW = (vx - ux) / (vy - uy)
  const startW = ux - stepW * uy
  const sideU = sign * uy
  const sideV = -sign * vy
  const sideW = sign * (vy - uy)
  for (let row = top; row <= bottom; row++) {
    const dy = row - ay
    let from = left
    let to = right
    if (sideU < 0) from = Math.max(from, Math.ceil(ax + stepU * dy - OVERLAP_PX))
    else if (sideU > 0) to = Math.min(to, Math.floor(ax + stepU * dy + OVERLAP_PX))
    if (sideV < 0) from = Math.max(from, Math.ceil(ax + stepV * dy - OVERLAP_PX))
    else if (sideV > 0) to = Math.min(to, Math.floor(ax + stepV * dy + OVERLAP_PX))
    if (sideW < 0) from = Math.max(from, Math.ceil(ax + startW + stepW * dy - OVERLAP_PX))
    else if (sideW > 0) to = Math.min(to, Math.floor(ax + startW + stepW * dy + OVERLAP_PX))
    for (let column = from; column <= to; column++) {
      const z = Math.min(nearest, Math.max(farthest, az + slopeX * (column - ax) + slopeY * dy))
      const pixel = row * width + column
      if (z > depth[pixel]!) {
        depth[pixel] = z
        if (owners) owners[pixel] = owner
      }
    }
  }
}

/** A picture of depths (larger is nearer) and, where wanted, of the triangle that is nearest at each pixel. */
export type DepthBuffer = {
  width: number
  height: number
  depth: Float32Array
  /** Triangle number + 1; 0 where nothing was drawn. */
  owners: Int32Array | null
  /** What has been drawn into it so far, in pixels. */
  spent: number
}

/** Vertices on the screen: pixel centres lie at whole numbers, `depth` is linear across the screen. */
export type Projected = { x: Float32Array; y: Float32Array; depth: Float32Array }

export const createProjected = (vertexCount: number): Projected => ({
  x: new Float32Array(vertexCount),
  y: new Float32Array(vertexCount),
  depth: new Float32Array(vertexCount),
})

/** Square pixels: below it a triangle has no slopes to speak of. */
const MIN_AREA = 1e-9
/** Spans are widened by this many pixels, so that rounding leaves no gaps between neighbours. */
const OVERLAP_PX = 1e-3

export function createDepthBuffer(width: number, height: number, hasOwners: boolean): DepthBuffer {
  const pixels = width * height
  const depth = new Float32Array(pixels).fill(-Infinity)
  return { width, height, depth, owners: hasOwners ? new Int32Array(pixels) : null, spent: 0 }
}

/**
 * Layers of the whole picture that are drawn in full; parts that people make stay far below it. Beyond it each
 * triangle has its share of as much again, so that a file of triangles that all fill the picture ends as soon.
 */
const FULL_LAYERS = 48
/** Triangles in a box of so few pixels are always drawn: what they cost is their number. */
const FREE_PIXELS = 16
/** What beginning a row costs, in pixels. */
const ROW_COST = 4

/**
 * Draws the triangles, from whichever side they are seen: files with a wrong winding must look whole too.
 * Triangles that cover no pixel centre, have no area or are not finite leave no trace. The work is bounded by
 * the size of the picture and the number of triangles, whatever their area.
 *
 * `corners`: three vertex numbers per triangle; null where the vertices follow each other. A mesh may be drawn in parts:
 * `part` says which triangle is the first of these, and how many there are in all.
 */
export function drawTriangles(
  buffer: DepthBuffer,
  points: Projected,
  corners: Int32Array | null,
  part: { first: number; count: number; of: number } = wholeOf(points, corners),
) {
  const { width, height } = buffer
  const { x, y } = points
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
    // Most triangles of a large mesh lie between two pixel centres and end here: no calls, only comparisons.
    const left = Math.max(0, Math.ceil((xa < xb ? (xa < xc ? xa : xc) : xb < xc ? xb : xc) - OVERLAP_PX))
    const right = Math.min(
      width - 1,
      Math.floor((xa > xb ? (xa > xc ? xa : xc) : xb > xc ? xb : xc) + OVERLAP_PX),
    )
    if (!(left <= right)) continue
    const ya = y[a]!
    const yb = y[b]!
    const yc = y[c]!
    const top = Math.max(0, Math.ceil((ya < yb ? (ya < yc ? ya : yc) : yb < yc ? yb : yc) - OVERLAP_PX))
    const bottom = Math.min(
      height - 1,
      Math.floor((ya > yb ? (ya > yc ? ya : yc) : yb > yc ? yb : yc) + OVERLAP_PX),
    )
    if (!(top <= bottom)) continue
    const rows = bottom - top + 1
    const box = (right - left + 1) * rows
    if (box > FREE_PIXELS) {
      const area = Math.abs((xb - xa) * (yc - ya) - (yb - ya) * (xc - xa)) / 2
      const cost = (area < box ? area : box) + ROW_COST * rows
      if (buffer.spent + cost > allowance * (1 + (first + triangle) / part.of)) continue
      buffer.spent += cost
    }
    const owner = first + triangle + 1
    if (box === 1) drawSpeck(buffer, points, a, b, c, left, top, owner)
    else drawTriangle(buffer, points, a, b, c, left, right, top, bottom, owner)
  }
}

function wholeOf(points: Projected, corners: Int32Array | null) {
  const count = Math.floor((corners ?? points.x).length / 3)
  return { first: 0, count, of: count }
}

/** A triangle that can cover one pixel alone, as most of a fine mesh do: as `drawTriangle`, with a single division. */
function drawSpeck(
  { width, depth, owners }: DepthBuffer,
  points: Projected,
  a: number,
  b: number,
  c: number,
  column: number,
  row: number,
  owner: number,
) {
  const dx = column - points.x[a]!
  const dy = row - points.y[a]!
  const ux = points.x[b]! - points.x[a]!
  const uy = points.y[b]! - points.y[a]!
  const vx = points.x[c]! - points.x[a]!
  const vy = points.y[c]! - points.y[a]!
  const area = ux * vy - uy * vx
  const sign = area > 0 ? 1 : -1
  // Twice the areas that the pixel's centre makes with each edge.
  const alongU = sign * (ux * dy - uy * dx)
  const alongV = sign * (vy * dx - vx * dy)
  const alongW = Math.abs(area) - alongU - alongV
  const isInside =
    alongU >= -OVERLAP_PX * Math.abs(uy) &&
    alongV >= -OVERLAP_PX * Math.abs(vy) &&
    alongW >= -OVERLAP_PX * Math.abs(vy - uy)
  if (!isInside || !(Math.abs(area) > MIN_AREA)) return
  const az = points.depth[a]!
  const uz = points.depth[b]! - az
  const vz = points.depth[c]! - az
  const lifted = az + (uz * alongV + vz * alongU) / Math.abs(area)
  const z = Math.min(az + Math.max(0, uz, vz), Math.max(az + Math.min(0, uz, vz), lifted))
  const pixel = row * width + column
  if (!(z > depth[pixel]!)) return
  depth[pixel] = z
  if (owners) owners[pixel] = owner
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
  // A sliver's slopes are huge and its rounding with them: never leave the range of its corners.
  const nearest = az + Math.max(0, uz, vz)
  const farthest = az + Math.min(0, uz, vz)
  // Each edge as the x at which it crosses a row: x = start + step * (y − ay), and whether the inside is right of it.
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

/** More outlines than this are never needed to show that something is there. */
const MAX_OUTLINES = 20_000

/**
 * Draws the triangles' edges one pixel wide. For parts that are thinner on the screen than the distance between
 * two pixel centres (a needle, a sheet seen from its edge), of which the triangles themselves leave no trace.
 */
export function drawOutlines(buffer: DepthBuffer, points: Projected, corners: Int32Array | null) {
  const { count } = wholeOf(points, corners)
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

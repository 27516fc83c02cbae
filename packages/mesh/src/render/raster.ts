/** A picture of depths (larger is nearer) and, where wanted, of the triangle that is nearest at each pixel. */
export type DepthBuffer = {
  width: number
  height: number
  depth: Float32Array
  /** Triangle number + 1; 0 where nothing was drawn. */
  owners: Int32Array | null
}

/** Vertices on the screen: pixel centres lie at whole numbers, `depth` is linear across the screen. */
export type Projected = { x: Float32Array; y: Float32Array; depth: Float32Array }

/** Spans are widened by this many pixels, so that rounding leaves no gaps between neighbours. */
const OVERLAP_PX = 1e-3

export function createDepthBuffer(width: number, height: number, hasOwners: boolean): DepthBuffer {
  const pixels = width * height
  const depth = new Float32Array(pixels).fill(-Infinity)
  return { width, height, depth, owners: hasOwners ? new Int32Array(pixels) : null }
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
 */
export function drawTriangles(buffer: DepthBuffer, points: Projected, corners: Int32Array) {
  const { width, height } = buffer
  const { x, y } = points
  const allowance = FULL_LAYERS * width * height
  let spent = 0
  for (let corner = 0; corner < corners.length; corner += 3) {
    const a = corners[corner]!
    const b = corners[corner + 1]!
    const c = corners[corner + 2]!
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
      if (spent + cost > allowance * (1 + corner / corners.length)) continue
      spent += cost
    }
    drawTriangle(buffer, points, a, b, c, left, right, top, bottom, corner / 3 + 1)
  }
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
  if (!(Math.abs(area) > 1e-9)) return
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
export function drawOutlines(buffer: DepthBuffer, points: Projected, corners: Int32Array) {
  const stride = 3 * Math.ceil(corners.length / 3 / MAX_OUTLINES)
  for (let corner = 0; corner < corners.length; corner += stride) {
    for (let i = 0; i < 3; i++) {
      drawLine(buffer, points, corners[corner + i]!, corners[corner + ((i + 1) % 3)]!, corner / 3 + 1)
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

import { type Flat, type Loop, polar, spread, times, TURN } from './mesh.ts'

/** Returns a circle as a closed, counter-clockwise outline. */
export const circle = (radius: number, at: Flat = [0, 0], segments = 64): Loop =>
  times(segments, (i) => {
    const [x, y] = polar(radius, (TURN * i) / segments)
    return [x + at[0], y + at[1]]
  })

export const ngon = (sides: number, acrossFlats: number, at: Flat = [0, 0]): Loop =>
  circle(acrossFlats / 2 / Math.cos(Math.PI / sides), at, sides).map((p) => spin(p, Math.PI / sides, at))

const spin = ([x, y]: Flat, angle: number, [cx, cy]: Flat): Flat => {
  const [dx, dy] = [x - cx, y - cy]
  return [cx + dx * Math.cos(angle) - dy * Math.sin(angle), cy + dx * Math.sin(angle) + dy * Math.cos(angle)]
}

export const turned = (loop: Loop, angle: number, around: Flat = [0, 0]): Loop =>
  loop.map((point) => spin(point, angle, around))

export const shifted = (loop: Loop, dx: number, dy: number): Loop => loop.map(([x, y]) => [x + dx, y + dy])

/** Returns a polygon with rounded corners. `radius` is one radius for all corners, or one for each. */
export function rounded(corners: Loop, radius: number | readonly number[], steps = 8): Loop {
  return corners.flatMap((corner, i): Flat[] => {
    const wanted = typeof radius === 'number' ? radius : (radius[i] ?? 0)
    const [before, after] = [corners.at(i - 1)!, corners[(i + 1) % corners.length]!]
    const [toBefore, toAfter] = [unit(corner, before), unit(corner, after)]
    const cosine = toBefore[0] * toAfter[0] + toBefore[1] * toAfter[1]
    if (wanted === 0 || cosine < -0.999) return [corner]
    const half = Math.acos(Math.min(1, Math.max(-1, cosine))) / 2
    const room = 0.49 * Math.min(distance(corner, before), distance(corner, after))
    const reach = Math.min(wanted / Math.tan(half), room)
    const start: Flat = [corner[0] + toBefore[0] * reach, corner[1] + toBefore[1] * reach]
    const end: Flat = [corner[0] + toAfter[0] * reach, corner[1] + toAfter[1] * reach]
    const bisector = unit([0, 0], [toBefore[0] + toAfter[0], toBefore[1] + toAfter[1]])
    const away = reach / Math.cos(half)
    const center: Flat = [corner[0] + bisector[0] * away, corner[1] + bisector[1] * away]
    const from = Math.atan2(start[1] - center[1], start[0] - center[0])
    const sweep = wrap(Math.atan2(end[1] - center[1], end[0] - center[0]) - from)
    const arc = distance(start, center)
    return spread(steps + 1).map((share) => {
      const [x, y] = polar(arc, from + sweep * share)
      return [center[0] + x, center[1] + y]
    })
  })
}

const distance = (a: Flat, b: Flat): number => Math.hypot(b[0] - a[0], b[1] - a[1])
const unit = (from: Flat, to: Flat): Flat => {
  const length = distance(from, to) || 1
  return [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
}
const wrap = (angle: number): number => angle - TURN * Math.round(angle / TURN)

export const box = (width: number, depth: number, at: Flat = [0, 0]): Loop => [
  [at[0] - width / 2, at[1] - depth / 2],
  [at[0] + width / 2, at[1] - depth / 2],
  [at[0] + width / 2, at[1] + depth / 2],
  [at[0] - width / 2, at[1] + depth / 2],
]

export const roundedBox = (width: number, depth: number, radius: number, at: Flat = [0, 0]): Loop =>
  rounded(box(width, depth, at), radius)

/** Returns the part of a ring between two radii and two angles. */
export function sector(
  inner: number,
  outer: number,
  from: number,
  to: number,
  fillet = 0,
  steps = Math.max(2, Math.ceil(((to - from) / TURN) * 96)),
): Loop {
  const arc = (radius: number, a: number, b: number) =>
    spread(steps + 1, a, b).map((angle) => polar(radius, angle))
  const corners = [...arc(outer, from, to), ...arc(inner, to, from)]
  if (fillet === 0) return corners
  const radii = corners.map((_, i) =>
    i === 0 || i === steps || i > 2 * steps || i === steps + 1 ? fillet : 0,
  )
  return rounded(corners, radii, 5)
}

/** Moves every edge inwards by this distance, which must be small compared with the edges. */
export function inset(loop: Loop, by: number): Loop {
  return loop.map((point, i) => {
    const [inX, inY] = unit(loop.at(i - 1)!, point)
    const [outX, outY] = unit(point, loop[(i + 1) % loop.length]!)
    const [nx, ny] = [-(inY + outY), inX + outX]
    const length = Math.hypot(nx, ny) || 1
    const stretch = Math.min(2.5, 1 / Math.max(0.2, (inX * outX + inY * outY + 1) / 2) ** 0.5)
    return [point[0] + (nx / length) * by * stretch, point[1] + (ny / length) * by * stretch]
  })
}

/** Returns the outline of a spur gear with rounded tips and roots. `module` is the pitch diameter per tooth. */
export function gear(teeth: number, module: number, isInternal = false): Loop {
  const pitch = (module * teeth) / 2
  const [root, tip] = isInternal
    ? [pitch - module, pitch + 1.25 * module]
    : [pitch - 1.25 * module, pitch + module]
  // Shares of the tooth pitch at which the flank leaves the root, crosses the pitch circle and meets the tip.
  const flank: Flat[] = [
    [root, 0.02],
    [root + 0.15 * (tip - root), 0.13],
    [pitch, 0.26],
    [tip - 0.12 * (tip - root), 0.37],
    [tip, 0.42],
    [tip, 0.58],
    [tip - 0.12 * (tip - root), 0.63],
    [pitch, 0.74],
    [root + 0.15 * (tip - root), 0.87],
    [root, 0.98],
  ]
  return times(teeth, (tooth) =>
    flank.map(([radius, share]) => polar(radius, (TURN * (tooth + share)) / teeth)),
  ).flat()
}

/** Returns an outline whose distance from the center is a function of the angle. */
export const around = (segments: number, radiusAt: (angle: number) => number): Loop =>
  times(segments, (i) => polar(radiusAt((TURN * i) / segments), (TURN * i) / segments))

import type { Flat, Loop } from './mesh.ts'

type Triangle = readonly [Flat, Flat, Flat]

/** Returns twice the signed area. It is positive if a → b → c turns left. */
const turn = (a: Flat, b: Flat, c: Flat): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

export const areaOf = (loop: Loop): number =>
  loop.reduce((sum, [x, y], i) => {
    const [nx, ny] = loop[(i + 1) % loop.length]!
    return sum + (x * ny - nx * y) / 2
  }, 0)

/** Returns whether a point is inside an odd number of the loops. */
export function isInside(loops: readonly Loop[], [x, y]: Flat): boolean {
  let inside = false
  for (const loop of loops)
    loop.forEach(([ax, ay], i) => {
      const [bx, by] = loop[(i + 1) % loop.length]!
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    })
  return inside
}

const same = (a: Flat, b: Flat): boolean => a[0] === b[0] && a[1] === b[1]

const crosses = (a: Flat, b: Flat, c: Flat, d: Flat): boolean =>
  !same(a, c) &&
  !same(a, d) &&
  !same(b, c) &&
  !same(b, d) &&
  turn(a, b, c) > 0 !== turn(a, b, d) > 0 &&
  turn(c, d, a) > 0 !== turn(c, d, b) > 0

/** Joins a hole to the outline by the shortest cut from its rightmost point that crosses no edge. */
function cutOpen(outline: Flat[], hole: Loop, others: readonly Loop[]): Flat[] {
  const from = hole.reduce((best, point, i) => (point[0] > hole[best]![0] ? i : best), 0)
  const start = hole[from]!
  const distance = ([x, y]: Flat) => (x - start[0]) ** 2 + (y - start[1]) ** 2
  const candidates = outline.map((_, i) => i).sort((a, b) => distance(outline[a]!) - distance(outline[b]!))
  const walls = [outline, hole, ...others]
  const isClear = (i: number): boolean => {
    const end = outline[i]!
    const [before, after] = [outline.at(i - 1)!, outline[(i + 1) % outline.length]!]
    // The cut must lead inwards from the corner. The same point may occur twice, because of an earlier cut.
    const isConvex = turn(before, end, after) > 0
    const [left, right] = [turn(before, end, start) > 0, turn(end, after, start) > 0]
    if (isConvex ? !(left && right) : !(left || right)) return false
    return walls.every((loop) =>
      loop.every((point, k) => !crosses(start, end, point, loop[(k + 1) % loop.length]!)),
    )
  }
  const to = candidates.find(isClear)
  if (to === undefined) throw new Error('a hole lies outside of its outline')
  const around = [...hole.slice(from), ...hole.slice(0, from), start]
  return [...outline.slice(0, to + 1), ...around, ...outline.slice(to)]
}

/** Cuts an outline (counter-clockwise) with holes (clockwise) into triangles by ear clipping (Meisters 1975). */
export function triangulate(outline: Loop, holes: readonly Loop[]): Triangle[] {
  const rightmost = (loop: Loop) => Math.max(...loop.map(([x]) => x))
  const queue = [...holes].sort((a, b) => rightmost(b) - rightmost(a))
  let ring: Flat[] = [...outline]
  queue.forEach((hole, i) => {
    ring = cutOpen(ring, hole, queue.slice(i + 1))
  })
  return cutEars(ring)
}

function cutEars(points: readonly Flat[]): Triangle[] {
  const next = points.map((_, i) => (i + 1) % points.length)
  const previous = points.map((_, i) => (i + points.length - 1) % points.length)
  const triangles: Triangle[] = []
  let left = points.length
  let at = 0
  let misses = 0
  while (left > 3) {
    const [a, b, c] = [points[previous[at]!]!, points[at]!, points[next[at]!]!]
    // If a whole round finds no ear, only corners without area remain. Clip them too, because they also close
    // the surface.
    if (misses > left ? turn(a, b, c) >= 0 : isEar(points, next, at, [a, b, c])) {
      triangles.push([a, b, c])
      next[previous[at]!] = next[at]!
      previous[next[at]!] = previous[at]!
      left -= 1
      misses = 0
      at = next[at]!
    } else if (misses++ > 2 * left) throw new Error('an outline crosses itself')
    at = next[at]!
  }
  triangles.push([points[previous[at]!]!, points[at]!, points[next[at]!]!])
  return triangles
}

function isEar(points: readonly Flat[], next: readonly number[], at: number, [a, b, c]: Triangle): boolean {
  if (turn(a, b, c) <= 1e-9) return false
  const start = next[next[at]!]!
  for (let i = start; next[i] !== at; i = next[i]!) {
    const p = points[i]!
    if (same(p, a) || same(p, b) || same(p, c)) continue
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false
  }
  return true
}

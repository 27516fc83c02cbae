import type { Flat, Loop, Mesh, Point } from './mesh.ts'
import { meshOf } from './mesh.ts'
import { inset } from './outline.ts'
import { areaOf, isInside, triangulate } from './triangulate.ts'

/** A slice of a body. Loops inside loops are holes, and loops inside holes are solid. */
export interface Layer {
  height: number
  loops: readonly Loop[]
  /**
   * The loops at the upper end, if they differ from `loops`. There must be the same number of loops, each
   * with the same number of points.
   */
  top?: readonly Loop[]
}

/**
 * Builds a body from slices. Between two slices, a flat face closes the area that belongs to only one of
 * them. Therefore, the outlines of the two slices must either be equal or not touch.
 */
export function stack(layers: readonly Layer[], floor = 0): Mesh {
  const corners: Point[] = []
  let z = floor
  let below: readonly Loop[] = []
  for (const { height, loops, top = loops } of layers) {
    addFaces(corners, below, loops, z)
    loops.forEach((loop, i) => addWall(corners, orient(loop, loops), orient(top[i]!, top), z, z + height))
    z += height
    below = top
  }
  addFaces(corners, below, [], z)
  return meshOf(corners)
}

/** Returns one outline with holes, with beveled upper and lower edges. Holes are beveled outwards. */
export function plate(outline: Loop, holes: readonly Loop[], height: number, bevel = 0.6): Mesh {
  const loops = [outline, ...holes]
  const narrow = [inset(outline, bevel), ...holes.map((hole) => inset(hole, -bevel))]
  return stack([
    { height: bevel, loops: narrow, top: loops },
    { height: height - 2 * bevel, loops },
    { height: bevel, loops, top: narrow },
  ])
}

const isReversed = (loop: Loop, among: readonly Loop[]): boolean => {
  const others = among.filter((other) => other !== loop)
  return isInside(others, loop[0]!) === areaOf(loop) > 0
}

/** Orients outlines counter-clockwise and holes clockwise, by their nesting depth. */
const orient = (loop: Loop, among: readonly Loop[]): Loop =>
  isReversed(loop, among) ? loop.toReversed() : loop

function addWall(corners: Point[], lower: Loop, upper: Loop, z: number, upperZ: number): void {
  const apart = (p: Flat, q: Flat) => Math.hypot(p[0] - q[0], p[1] - q[1])
  lower.forEach((from, i) => {
    const next = (i + 1) % lower.length
    const a: Point = [from[0], from[1], z]
    const b: Point = [lower[next]![0], lower[next]![1], z]
    const c: Point = [upper[next]![0], upper[next]![1], upperZ]
    const d: Point = [upper[i]![0], upper[i]![1], upperZ]
    // Use the shorter diagonal, so that both sides of a twisted wall fold in the same way.
    if (apart(from, upper[next]!) <= apart(lower[next]!, upper[i]!)) corners.push(a, b, c, a, c, d)
    else corners.push(a, b, d, b, c, d)
  })
}

const areSame = (a: Loop, b: Loop): boolean =>
  a === b || (a.length === b.length && a.every(([x, y], i) => x === b[i]![0] && y === b[i]![1]))

function addFaces(corners: Point[], below: readonly Loop[], above: readonly Loop[], z: number): void {
  const without = (own: readonly Loop[], others: readonly Loop[]) =>
    own.filter((loop) => !others.some((other) => areSame(loop, other)))
  const edges = [...without(below, above), ...without(above, below)]
  const oriented = edges.map((loop) => orient(loop, edges))
  for (const outline of oriented.filter((loop) => areaOf(loop) > 0)) {
    const holes = oriented.filter((loop) => areaOf(loop) < 0 && isChild(loop, outline, oriented))
    const triangles = triangulate(outline, holes)
    const faceUp = isInside(below, middleOfLargest(triangles))
    for (const [a, b, c] of triangles) {
      const [second, third] = faceUp ? [b, c] : [c, b]
      corners.push([a[0], a[1], z], [second[0], second[1], z], [third[0], third[1], z])
    }
  }
}

/** Returns whether a hole is directly inside this outline. */
function isChild(hole: Loop, outline: Loop, all: readonly Loop[]): boolean {
  const around = all.filter((loop) => loop !== hole && isInside([loop], hole[0]!))
  const depth = (loop: Loop) => all.filter((other) => other !== loop && isInside([other], loop[0]!)).length
  return around.includes(outline) && depth(outline) === around.length - 1
}

function middleOfLargest(triangles: ReturnType<typeof triangulate>): Flat {
  const [largest] = triangles.toSorted((p, q) => Math.abs(areaOf(q)) - Math.abs(areaOf(p)))
  const [a, b, c] = largest!
  return [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3]
}

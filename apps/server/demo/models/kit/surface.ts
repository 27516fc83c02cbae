import { type Loop, type Mesh, meshOf, type Point, TURN } from './mesh.ts'

/** A point of a profile: the distance from the axis, and the height. */
export type ProfilePoint = readonly [radius: number, z: number]

/**
 * Rotates a profile around the z axis. The solid is on the left of the profile. `shape` may move each point
 * as a function of its position on the profile, but must not move points on the axis sideways.
 */
export function turn(
  profile: readonly ProfilePoint[],
  segments = 96,
  shape: (radius: number, angle: number, z: number, at: number) => Point = (radius, angle, z) => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
    z,
  ],
): Mesh {
  const corners: Point[] = []
  const pointAt = (at: number, segment: number): Point => {
    const [radius, z] = profile[at]!
    return shape(radius, radius === 0 ? 0 : (TURN * (segment % segments)) / segments, z, at)
  }
  for (let i = 0; i + 1 < profile.length; i++)
    for (let segment = 0; segment < segments; segment++) {
      const [a, b] = [pointAt(i, segment), pointAt(i, segment + 1)]
      const [c, d] = [pointAt(i + 1, segment + 1), pointAt(i + 1, segment)]
      if (profile[i]![0] > 0) corners.push(a, b, c)
      if (profile[i + 1]![0] > 0) corners.push(a, c, d)
    }
  return meshOf(corners)
}

export const sphere = (radius: number, segments = 32): Mesh => {
  const rings = segments / 2
  return turn(
    Array.from({ length: rings + 1 }, (_, i) => {
      const angle = (Math.PI * i) / rings
      return [i === 0 || i === rings ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)] as const
    }),
    segments,
  )
}

/**
 * Joins rows of points to a surface. Each row is closed. `ends` determines the two ends: the last row is
 * joined to the first (`closed`), both ends get flat faces (`flat`), or both ends stay open (`open`).
 */
export function skin(rows: readonly (readonly Point[])[], ends: 'closed' | 'flat' | 'open'): Mesh {
  const corners: Point[] = []
  const last = ends === 'closed' ? rows.length : rows.length - 1
  for (let i = 0; i < last; i++) {
    const [row, following] = [rows[i]!, rows[(i + 1) % rows.length]!]
    row.forEach((a, k) => {
      const next = (k + 1) % row.length
      const [b, c, d] = [row[next]!, following[next]!, following[k]!]
      corners.push(a, b, c, a, c, d)
    })
  }
  if (ends === 'flat') corners.push(...fan(rows[0]!).toReversed(), ...fan(rows.at(-1)!))
  return meshOf(corners)
}

const fan = (row: readonly Point[]): Point[] =>
  row.slice(2).flatMap((c, i): Point[] => [row[0]!, row[i + 1]!, c])

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const normal = (a: Point): Point => {
  const length = Math.hypot(...a) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}

/**
 * Sweeps a section (convex, counter-clockwise, x sideways, y upwards) along a path. `sizeAt` scales the
 * section along the path. `up` is the direction of the section's y axis, as far as the path allows.
 */
export function sweep(
  path: readonly Point[],
  section: Loop,
  options: {
    isClosed?: boolean
    sizeAt?: (share: number) => number
    up?: Point
    ends?: 'flat' | 'open'
  } = {},
): Mesh {
  const { isClosed = false, sizeAt = () => 1, up = [0, 0, 1], ends = 'flat' } = options
  const count = path.length
  const rows = path.map((at, i) => {
    const before = path[isClosed ? (i + count - 1) % count : Math.max(0, i - 1)]!
    const after = path[isClosed ? (i + 1) % count : Math.min(count - 1, i + 1)]!
    const ahead = normal(minus(after, before))
    const side = normal(cross(ahead, up))
    const top = cross(side, ahead)
    const size = sizeAt(i / (count - 1))
    return section.map(
      ([x, y]): Point => [
        at[0] + size * (side[0] * x + top[0] * y),
        at[1] + size * (side[1] * x + top[1] * y),
        at[2] + size * (side[2] * x + top[2] * y),
      ],
    )
  })
  return skin(
    rows.map((row) => row.toReversed()),
    isClosed ? 'closed' : ends,
  )
}

/** Returns a leaf: a patch of a surface with a thickness, pointed or blunt ends, and a closed rim. */
export function leaf(
  at: (u: number, v: number) => Point,
  thickness: number,
  [columns, rows]: readonly [number, number] = [16, 10],
): Mesh {
  const step = 1e-3
  const offset = (u: number, v: number, by: number): Point => {
    const p = at(u, v)
    const du = minus(at(Math.min(1, u + step), v), at(Math.max(0, u - step), v))
    const dv = minus(at(u, Math.min(1, v + step)), at(u, Math.max(0, v - step)))
    const n = normal(cross(du, dv))
    return dot(n, n) < 0.5 ? p : [p[0] + n[0] * by, p[1] + n[1] * by, p[2] + n[2] * by]
  }
  const ring = (u: number): Point[] => {
    const share = (k: number) => k / rows
    const over = Array.from({ length: rows + 1 }, (_, k) => offset(u, share(k), thickness / 2))
    const under = Array.from({ length: rows + 1 }, (_, k) => offset(u, share(rows - k), -thickness / 2))
    return [...over, ...under]
  }
  return skin(
    Array.from({ length: columns + 1 }, (_, i) => ring(0.02 + (0.96 * i) / columns).toReversed()),
    'flat',
  )
}

/**
 * Turns a prism so that it stands on the lowest side of its outline. The outline is given in the front view
 * (x, z).
 */
export function upright(mesh: Mesh): Mesh {
  const turned = new Float32Array(mesh.length)
  for (let i = 0; i < mesh.length; i += 3) turned.set([mesh[i]!, -mesh[i + 2]!, mesh[i + 1]!], i)
  return turned
}

/**
 * A closed surface as nine floats per triangle, in millimeters, with outward normals. The mesh package writes
 * this format.
 */
export type Mesh = Float32Array<ArrayBuffer>
export type Point = readonly [x: number, y: number, z: number]
export type Flat = readonly [x: number, y: number]
export type Loop = readonly Flat[]

export const TURN = 2 * Math.PI

export const polar = (radius: number, angle: number): Flat => [
  radius * Math.cos(angle),
  radius * Math.sin(angle),
]

/** Returns `count` evenly spaced numbers from `from` to `to`, both included. */
export const spread = (count: number, from = 0, to = 1): number[] =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

export const meshOf = (corners: readonly Point[]): Mesh => Float32Array.from(corners.flat())

/** Combines several bodies in one file. Touching bodies stay separate shells, as in most shared files. */
export function combine(...parts: readonly Mesh[]): Mesh {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function mapPoints(mesh: Mesh, change: (point: Point) => Point): Mesh {
  const moved = new Float32Array(mesh.length)
  for (let i = 0; i < mesh.length; i += 3) moved.set(change([mesh[i]!, mesh[i + 1]!, mesh[i + 2]!]), i)
  return moved
}

export const move = (mesh: Mesh, dx: number, dy = 0, dz = 0): Mesh =>
  mapPoints(mesh, ([x, y, z]) => [x + dx, y + dy, z + dz])

export const scale = (mesh: Mesh, fx: number, fy = fx, fz = fx): Mesh =>
  mapPoints(mesh, ([x, y, z]) => [x * fx, y * fy, z * fz])

/** Rotates a mesh counter-clockwise, as seen from the tip of the axis. */
export function rotate(mesh: Mesh, axis: 'x' | 'y' | 'z', degrees: number): Mesh {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return mapPoints(mesh, ([x, y, z]) => {
    if (axis === 'x') return [x, y * cos - z * sin, y * sin + z * cos]
    if (axis === 'y') return [x * cos + z * sin, y, z * cos - x * sin]
    return [x * cos - y * sin, x * sin + y * cos, z]
  })
}

/** Places a part on the print bed, centered on the origin. */
export function seat(mesh: Mesh): Mesh {
  const low: [number, number, number] = [Infinity, Infinity, Infinity]
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  mesh.forEach((value, i) => {
    const axis = (i % 3) as 0 | 1 | 2
    low[axis] = Math.min(low[axis], value)
    high[axis] = Math.max(high[axis], value)
  })
  return move(mesh, -(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2])
}

/** Returns the volume of closed bodies by the divergence theorem. Overlaps count twice. */
export function volumeMm3(mesh: Mesh): number {
  let six = 0
  for (let i = 0; i + 8 < mesh.length; i += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = mesh.subarray(i, i + 9) as unknown as number[]
    six += ax! * (by! * cz! - bz! * cy!) - ay! * (bx! * cz! - bz! * cx!) + az! * (bx! * cy! - by! * cx!)
  }
  return Math.abs(six) / 6
}

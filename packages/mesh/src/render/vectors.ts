export type Direction = readonly [x: number, y: number, z: number]

/**
 * Returns the unit vector at an azimuth (counter-clockwise from x, seen from above) and an elevation above the floor.
 */
export function fromAngles(azimuthDeg: number, elevationDeg: number): Direction {
  const azimuth = (azimuthDeg * Math.PI) / 180
  const elevation = (elevationDeg * Math.PI) / 180
  return [
    Math.cos(elevation) * Math.cos(azimuth),
    Math.cos(elevation) * Math.sin(azimuth),
    Math.sin(elevation),
  ]
}

export function cross(a: Direction, b: Direction): Direction {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function normalize(a: Direction): Direction {
  const length = Math.hypot(a[0], a[1], a[2]) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}

export function dot(a: Direction, b: Direction): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function scaled(a: Direction, by: number): Direction {
  return [a[0] * by, a[1] * by, a[2] * by]
}

export function sum(a: Direction, b: Direction): Direction {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

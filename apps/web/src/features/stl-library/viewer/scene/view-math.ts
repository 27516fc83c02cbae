// Geometry of a camera that looks at a box, in millimeters, with z up. The box stands on z = 0, centered on x
// and y.

export type Vec3 = readonly [number, number, number]

export interface Direction {
  /** Direction of the camera, seen from above: 0 is +x (right), -90 is -y (front). */
  azimuthDegrees: number
  /** Angle of the camera above the horizon. */
  elevationDegrees: number
}

const RADIANS = Math.PI / 180
export const CAMERA_FOV_DEGREES = 20

/** The views of the keys 1 to 6. Top and bottom are slightly less than 90°, so that "up" stays defined. */
export const NAMED_VIEWS: readonly (Direction & { name: string })[] = [
  { name: 'front', azimuthDegrees: -90, elevationDegrees: 0 },
  { name: 'back', azimuthDegrees: 90, elevationDegrees: 0 },
  { name: 'left', azimuthDegrees: 180, elevationDegrees: 0 },
  { name: 'right', azimuthDegrees: 0, elevationDegrees: 0 },
  { name: 'top', azimuthDegrees: -90, elevationDegrees: 89.99 },
  { name: 'bottom', azimuthDegrees: -90, elevationDegrees: -89.99 },
]

/**
 * Returns the camera direction of the stored pictures. The camera is higher for flat parts, and lower for tall parts.
 */
export function homeDirection(size: Vec3): Direction {
  const breadth = Math.max(size[0], size[1], 1e-9)
  const slenderness = size[2] / breadth
  const elevationDegrees = slenderness < 0.35 ? 34 : slenderness > 1.6 ? 18 : 27
  return { azimuthDegrees: -55, elevationDegrees }
}

/** Returns the unit vector from the target to the camera. */
export function towardCamera({ azimuthDegrees, elevationDegrees }: Direction): Vec3 {
  const flat = Math.cos(elevationDegrees * RADIANS)
  return [
    flat * Math.cos(azimuthDegrees * RADIANS),
    flat * Math.sin(azimuthDegrees * RADIANS),
    Math.sin(elevationDegrees * RADIANS),
  ]
}

/**
 * Returns the eight corners of the box. In corner i, x is at its maximum if bit 0 is set, y if bit 1 is set, and z if
 * bit 2 is set.
 */
export function boxCorners(size: Vec3): Vec3[] {
  return Array.from(
    { length: 8 },
    (_, i): Vec3 => [
      i & 1 ? size[0] / 2 : -size[0] / 2,
      i & 2 ? size[1] / 2 : -size[1] / 2,
      i & 4 ? size[2] : 0,
    ],
  )
}

/**
 * Returns the distance from the center of the box at which the whole box fills at most the share `fill` of the view.
 */
export function fitDistance(size: Vec3, direction: Direction, aspect: number, fill: number): number {
  const away = towardCamera(direction)
  const azimuth = direction.azimuthDegrees * RADIANS
  const right: Vec3 = [-Math.sin(azimuth), Math.cos(azimuth), 0]
  const up: Vec3 = [
    away[1] * right[2] - away[2] * right[1],
    away[2] * right[0] - away[0] * right[2],
    away[0] * right[1] - away[1] * right[0],
  ]
  const tanUp = Math.tan((CAMERA_FOV_DEGREES / 2) * RADIANS) * fill
  const tanRight = tanUp * aspect
  let distance = 0
  for (const [x, y, z] of boxCorners(size)) {
    const p: Vec3 = [x, y, z - size[2] / 2]
    const depth = dot(p, away)
    distance = Math.max(
      distance,
      depth + Math.abs(dot(p, right)) / tanRight,
      depth + Math.abs(dot(p, up)) / tanUp,
    )
  }
  return distance
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export interface BoxEdge {
  from: number
  to: number
  isHidden: boolean
}

/** Returns the twelve edges of the box. An edge is hidden if neither of its two faces faces the camera. */
export function boxEdges(size: Vec3, camera: Vec3): BoxEdge[] {
  const high: Vec3 = [size[0] / 2, size[1] / 2, size[2]]
  const low: Vec3 = [-size[0] / 2, -size[1] / 2, 0]
  const facesCamera = (axis: number, isHigh: boolean): boolean =>
    isHigh
      ? (camera[axis] as number) > (high[axis] as number)
      : (camera[axis] as number) < (low[axis] as number)
  const edges: BoxEdge[] = []
  for (let axis = 0; axis < 3; axis++) {
    const bit = 1 << axis
    const others = [0, 1, 2].filter((other) => other !== axis)
    for (let from = 0; from < 8; from++) {
      if (from & bit) continue
      const isHidden = !others.some((other) => facesCamera(other, (from & (1 << other)) !== 0))
      edges.push({ from, to: from | bit, isHidden })
    }
  }
  return edges
}

/**
 * Cosine above which a dimension points at the camera. Its line would be a dot, and its label would hide the
 * part.
 */
const END_ON_COSINE = 0.97

/** Returns whether the camera looks along an axis of the box. */
export function isEndOn(axis: 0 | 1 | 2, size: Vec3, camera: Vec3): boolean {
  const away: Vec3 = [camera[0], camera[1], camera[2] - size[2] / 2]
  return Math.abs(away[axis]) >= END_ON_COSINE * Math.sqrt(dot(away, away))
}

export interface DimensionLine {
  axis: 0 | 1 | 2
  from: Vec3
  to: Vec3
}

/**
 * Returns the positions of the three dimension lines. Width and depth are on the floor in front of the part. Height is
 * next to the leftmost vertical edge in the view, whose lower corner is `leftmostCorner` (0 to 3).
 */
export function dimensionLines(size: Vec3, camera: Vec3, leftmostCorner: number): DimensionLine[] {
  const gap = Math.max(...size) * 0.07
  const [hx, hy] = [size[0] / 2, size[1] / 2]
  const y = camera[1] < 0 ? -hy - gap : hy + gap
  const x = camera[0] < 0 ? -hx - gap : hx + gap
  const uprightX = leftmostCorner & 1 ? hx + gap * 0.8 : -hx - gap * 0.8
  const uprightY = leftmostCorner & 2 ? hy + gap * 0.8 : -hy - gap * 0.8
  return [
    { axis: 0, from: [-hx, y, 0], to: [hx, y, 0] },
    { axis: 1, from: [x, -hy, 0], to: [x, hy, 0] },
    { axis: 2, from: [uprightX, uprightY, 0], to: [uprightX, uprightY, size[2]] },
  ]
}

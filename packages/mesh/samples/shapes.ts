/**
 * Closed shapes for tests, benchmarks and the sign-in picture. Each shape is an array of positions (nine
 * floats per triangle, in millimeters). All shapes start at z = 0 around the z axis, and their normals point
 * outwards.
 */
type Point = readonly [x: number, y: number, z: number]
/** A profile point: its distance from the axis, and its height. */
type ProfilePoint = readonly [radius: number, z: number]
type Point2 = readonly [x: number, y: number]

const TURN = 2 * Math.PI

export function createBox(sizeX: number, sizeY: number, sizeZ: number): Float32Array<ArrayBuffer> {
  const x = sizeX / 2
  const y = sizeY / 2
  return extrude(
    [
      [
        [-x, -y],
        [x, -y],
        [x, y],
        [-x, y],
      ],
    ],
    sizeZ,
  )
}

export function createCube(size = 20): Float32Array<ArrayBuffer> {
  return createBox(size, size, size)
}

export function createSphere(radius = 15, segments = 64): Float32Array<ArrayBuffer> {
  const rings = Math.max(2, Math.round(segments / 2))
  const profile: ProfilePoint[] = []
  for (let i = 0; i <= rings; i++) {
    const angle = (Math.PI * i) / rings
    // The radius at the poles must be exactly zero, so that the corners there can be welded.
    const distance = i === 0 || i === rings ? 0 : radius * Math.sin(angle)
    profile.push([distance, radius - radius * Math.cos(angle)])
  }
  return revolve(profile, segments)
}

export function createCylinder(radius = 10, height = 30, segments = 64): Float32Array<ArrayBuffer> {
  return revolve(
    [
      [0, 0],
      [radius, 0],
      [radius, height],
      [0, height],
    ],
    segments,
  )
}

export function createCone(radius = 12, height = 25, segments = 64): Float32Array<ArrayBuffer> {
  return revolve(
    [
      [0, 0],
      [radius, 0],
      [0, height],
    ],
    segments,
  )
}

export function createTorus(ringRadius = 20, tubeRadius = 7, segments = 64): Float32Array<ArrayBuffer> {
  const steps = Math.max(3, Math.round(segments / 2))
  const profile: ProfilePoint[] = []
  for (let i = 0; i <= steps; i++) {
    const angle = (TURN * (i % steps)) / steps
    profile.push([ringRadius + tubeRadius * Math.sin(angle), tubeRadius - tubeRadius * Math.cos(angle)])
  }
  return revolve(profile, segments)
}

/** A thin-walled vase. Its profile runs outwards along the foot, up the outside and down the inside. */
export function createVase(height = 80, segments = 96): Float32Array<ArrayBuffer> {
  const steps = 40
  const wall = 0.03 * height
  const radiusAt = (z: number) => height * (0.24 + 0.1 * Math.sin(1.15 * TURN * (z / height) * 0.75 - 0.4))
  const profile: ProfilePoint[] = [[0, 0]]
  for (let i = 0; i <= steps; i++) profile.push([radiusAt((height * i) / steps), (height * i) / steps])
  for (let i = steps; i >= 0; i--) {
    const z = wall + ((height - wall) * i) / steps
    profile.push([radiusAt(z) - wall, z])
  }
  profile.push([0, wall])
  return revolve(profile, segments)
}

/**
 * A spur gear with straight flanks and a bore. `module` is the pitch diameter in millimeters, divided by the number of
 * teeth.
 */
export function createGear(teeth = 18, module = 2.5, thickness = 10): Float32Array<ArrayBuffer> {
  const root = (module * teeth) / 2 - 1.2 * module
  const tip = (module * teeth) / 2 + module
  const outline: Point2[] = []
  // The corners of one tooth: two at the root, then two at the tip. Each has a radius, and an angle as a share of one
  // tooth's angle.
  const corners: Point2[] = [
    [root, 0],
    [root, 0.22],
    [tip, 0.36],
    [tip, 0.64],
  ]
  for (let tooth = 0; tooth < teeth; tooth++) {
    for (const [radius, share] of corners) outline.push(polar(radius, (TURN * (tooth + share)) / teeth))
    outline.push(polar(root, (TURN * (tooth + 0.78)) / teeth))
  }
  return extrudeRing(outline, 0.35 * root, thickness)
}

/** A plate with rounded corners and a hole. */
export function createPlate(
  sizeX = 50,
  sizeY = 30,
  thickness = 6,
  holeRadius = 8,
): Float32Array<ArrayBuffer> {
  const corner = Math.min(sizeX, sizeY) / 5
  const outline: Point2[] = []
  for (let quarter = 0; quarter < 4; quarter++) {
    const cx = (quarter === 0 || quarter === 3 ? 1 : -1) * (sizeX / 2 - corner)
    const cy = (quarter < 2 ? 1 : -1) * (sizeY / 2 - corner)
    for (let i = 0; i <= 8; i++) {
      const [x, y] = polar(corner, (TURN * (quarter + i / 8)) / 4)
      outline.push([cx + x, cy + y])
    }
  }
  return extrudeRing(outline, holeRadius, thickness)
}

/** An angle bracket: an L with two legs, one of them flat on the bed. */
export function createBracket(leg = 40, width = 25, thickness = 6): Float32Array<ArrayBuffer> {
  const rib = thickness * 1.8
  const outline: Point2[] = [
    [0, 0],
    [leg, 0],
    [leg, thickness],
    [thickness + rib, thickness],
    [thickness, thickness + rib],
    [thickness, leg],
    [0, leg],
  ]
  // The shape is drawn in the plane of the L, extruded along its width, and then rotated.
  const flat = extrude([outline.map(([x, y]) => [x - leg / 2, y] as const)], width)
  for (let i = 0; i < flat.length; i += 3) {
    const y = flat[i + 1]!
    flat[i + 1] = width / 2 - flat[i + 2]!
    flat[i + 2] = y
  }
  return flat
}

function polar(radius: number, angle: number): Point2 {
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}

/**
 * Rotates a profile around the z axis. The solid must be on the left of the profile, so the profile runs upwards along
 * the outside.
 */
function revolve(profile: readonly ProfilePoint[], segments: number): Float32Array<ArrayBuffer> {
  const triangles: Point[] = []
  const pointAt = ([radius, z]: ProfilePoint, segment: number): Point => {
    const angle = (TURN * (segment % segments)) / segments
    return [radius === 0 ? 0 : radius * Math.cos(angle), radius === 0 ? 0 : radius * Math.sin(angle), z]
  }
  for (let i = 0; i + 1 < profile.length; i++) {
    const lower = profile[i]!
    const upper = profile[i + 1]!
    for (let segment = 0; segment < segments; segment++) {
      const a = pointAt(lower, segment)
      const b = pointAt(lower, segment + 1)
      const c = pointAt(upper, segment + 1)
      const d = pointAt(upper, segment)
      if (lower[0] > 0) triangles.push(a, b, c)
      if (upper[0] > 0) triangles.push(a, c, d)
    }
  }
  return Float32Array.from(triangles.flat())
}

/** Extrudes counter-clockwise outlines. They are triangulated by ear clipping. */
function extrude(outlines: readonly (readonly Point2[])[], height: number): Float32Array<ArrayBuffer> {
  const triangles: Point[] = []
  for (const outline of outlines) {
    addWalls(triangles, outline, height)
    for (const [a, b, c] of cutEars(outline)) {
      triangles.push([a[0], a[1], height], [b[0], b[1], height], [c[0], c[1], height])
      triangles.push([a[0], a[1], 0], [c[0], c[1], 0], [b[0], b[1], 0])
    }
  }
  return Float32Array.from(triangles.flat())
}

/** Extrudes an outline that is star-shaped around the origin and has a round hole at the origin. */
function extrudeRing(
  corners: readonly Point2[],
  holeRadius: number,
  height: number,
): Float32Array<ArrayBuffer> {
  const triangles: Point[] = []
  const outline = subdivide(corners, TURN / 64)
  // The hole has one point for each point of the outline, in the same direction, so that the ring is a strip
  // of quads.
  const hole = outline.map(([x, y]) => polar(holeRadius, Math.atan2(y, x)))
  addWalls(triangles, outline, height)
  addWalls(triangles, hole.toReversed(), height)
  outline.forEach(([ax, ay], i) => {
    const next = (i + 1) % outline.length
    const [bx, by] = outline[next]!
    const [cx, cy] = hole[next]!
    const [dx, dy] = hole[i]!
    triangles.push([ax, ay, height], [bx, by, height], [cx, cy, height])
    triangles.push([ax, ay, height], [cx, cy, height], [dx, dy, height])
    triangles.push([ax, ay, 0], [cx, cy, 0], [bx, by, 0], [ax, ay, 0], [dx, dy, 0], [cx, cy, 0])
  })
  return Float32Array.from(triangles.flat())
}

/** Splits the sides of an outline so that each side spans at most `maxAngle` as seen from the origin. */
function subdivide(outline: readonly Point2[], maxAngle: number): Point2[] {
  return outline.flatMap(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length]!
    const angle = Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by))
    const parts = Math.max(1, Math.ceil(angle / maxAngle))
    return Array.from({ length: parts }, (_, k): Point2 => {
      const share = k / parts
      return [ax + (bx - ax) * share, ay + (by - ay) * share]
    })
  })
}

function addWalls(triangles: Point[], outline: readonly Point2[], height: number) {
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length]!
    triangles.push([ax, ay, 0], [bx, by, 0], [bx, by, height])
    triangles.push([ax, ay, 0], [bx, by, height], [ax, ay, height])
  })
}

type Triangle2 = readonly [Point2, Point2, Point2]

/**
 * Triangulates an outline by ear clipping (Meisters 1975). This takes O(n²), which is fine for outlines of a
 * few dozen corners.
 */
function cutEars(outline: readonly Point2[]): Triangle2[] {
  const left = [...outline]
  const ears: Triangle2[] = []
  while (left.length > 3) {
    const at = left.findIndex((_, i) => isEar(left, i))
    if (at < 0) throw new Error('outline crosses itself')
    ears.push([left.at(at - 1)!, left[at]!, left[(at + 1) % left.length]!])
    left.splice(at, 1)
  }
  ears.push([left[0]!, left[1]!, left[2]!])
  return ears
}

function isEar(outline: readonly Point2[], at: number): boolean {
  const a = outline.at(at - 1)!
  const b = outline[at]!
  const c = outline[(at + 1) % outline.length]!
  if (turn(a, b, c) <= 0) return false
  return outline.every(
    (p) => p === a || p === b || p === c || !(turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0),
  )
}

/** Returns twice the signed area. It is positive if a → b → c turns left. */
function turn(a: Point2, b: Point2, c: Point2): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

import { drawLightMaps, type LightMap, lightAt, spreadOverLamp, spreadOverSky } from './light-maps.ts'
import type { SurfacePoint } from './normals.ts'
import type { Scene } from './scene.ts'
import { type Direction, fromAngles } from './vectors.ts'

/**
 * The lights: a broad main lamp (key light), the sky with its reflection on the floor, and a weak bluish light from the
 * other side (fill light). Key and fill light move with the camera.
 */
export type Lighting = {
  key: LightMap[]
  sky: LightMap[]
  fill: Direction
  floorZ: number
}

/**
 * The lights are divided into this many groups. Each sample of a pixel uses one group, and its neighbors use the
 * others, so that all lights affect every pixel.
 */
export const LIGHT_GROUPS = 3

// Brightness of a white surface, in linear light, that faces the lamp or the open sky. A top face gets about 0.74 in
// total.
const KEY = 0.56
const SKY = 0.31
const FLOOR = 0.1
const FILL = 0.085
const FILL_COLOR: Direction = [0.9, 1, 1.1]
const KEY_ELEVATION_DEG = 53
const KEY_RADIUS_DEG = 12
/** Azimuth of the key lamp, relative to the camera. Negative angles are to the left. */
const KEY_TURN_DEG = -66
const FILL_TURN_DEG = 128
const FILL_ELEVATION_DEG = 22

/**
 * Limits for the triangles that are drawn for all light maps of the sky together, and for all maps of the key lamp.
 * Each map draws all triangles of the mesh, so a large mesh gets fewer maps.
 */
const TRIANGLES_DRAWN_SKY = 1_800_000
const TRIANGLES_DRAWN_KEY = 900_000

/**
 * Creates all lights of a scene. If the same scene is drawn from another side, `sky` can be reused, because it does not
 * move with the camera.
 */
export function createLighting(
  scene: Scene,
  cameraAzimuthDeg: number,
  sky: LightMap[] = createSky(scene),
): Lighting {
  const keyCount = countMaps(TRIANGLES_DRAWN_KEY / scene.triangleCount, 6, 15)
  const lamp = fromAngles(cameraAzimuthDeg + KEY_TURN_DEG, KEY_ELEVATION_DEG)
  return {
    key: drawLightMaps(scene, spreadOverLamp(lamp, KEY_RADIUS_DEG, keyCount), 512),
    sky,
    fill: fromAngles(cameraAzimuthDeg + FILL_TURN_DEG, FILL_ELEVATION_DEG),
    floorZ: -scene.halfSize[2],
  }
}

/** Creates the light of the open sky, which is the same for every camera. */
export function createSky(scene: Scene): LightMap[] {
  const count = countMaps(TRIANGLES_DRAWN_SKY / scene.triangleCount, 12, 48)
  return drawLightMaps(scene, spreadOverSky(count), 288)
}

function countMaps(affordable: number, least: number, most: number): number {
  return LIGHT_GROUPS * Math.round(Math.min(most, Math.max(least, affordable)) / LIGHT_GROUPS)
}

/**
 * Calculates the linear light that a white matte surface reflects, and writes it into `out` as red, green,
 * blue.
 */
export function shadePoint(lighting: Lighting, group: number, point: SurfacePoint, out: Float32Array) {
  const { p, normal: n } = point
  const direct = KEY * gather(lighting.key, group, point, false)
  const sky = 2 * gather(lighting.sky, group, point, true)
  const open = 0.5 + 0.5 * n[2]!
  // The share of the sky that a point sees, compared with a point in the open, shows how deep it is in a hollow.
  const openness = open > 0.05 ? Math.min(1, sky / open) : 0.4
  const height = Math.min(1, (p[2]! - lighting.floorZ) / 0.5)
  const bounce = FLOOR * (1 - open) * (0.35 + 0.65 * openness) * (0.4 + 0.6 * height)
  // Light bounces several times between the walls of a hollow, so gray material there is brighter than one bounce makes
  // it.
  const ambient = SKY * sky + bounce + 0.05 * (1 - openness)
  const facing = n[0]! * lighting.fill[0] + n[1]! * lighting.fill[1] + n[2]! * lighting.fill[2]
  const fill = FILL * Math.max(0, facing) * openness
  for (let i = 0; i < 3; i++) out[i] = direct + ambient + fill * FILL_COLOR[i]!
}

/**
 * Returns the mean of cosine × visibility over the lights of one group. The cosine is that between normal and light.
 */
function gather(
  maps: readonly LightMap[],
  group: number,
  { p, face, normal }: SurfacePoint,
  isSky: boolean,
): number {
  const x = p[0]!
  const y = p[1]!
  const z = p[2]!
  const fx = face[0]!
  const fy = face[1]!
  const fz = face[2]!
  const nx = normal[0]!
  const ny = normal[1]!
  const nz = normal[2]!
  let sum = 0
  let count = 0
  for (let i = group; i < maps.length; i += LIGHT_GROUPS) {
    count++
    const map = maps[i]!
    const { toLight, lift } = map
    const cos = nx * toLight[0] + ny * toLight[1] + nz * toLight[2]
    if (cos <= 0) continue
    const faceCos = fx * toLight[0] + fy * toLight[1] + fz * toLight[2]
    // The flat triangle does not face this lamp, although its smoothed normal does. Leaving the lamp out lets the edge
    // of the shadow fade instead of being jagged.
    if (faceCos <= 0 && !isSky) continue
    const bias =
      lift * (0.3 + 0.7 * Math.min(2, Math.sqrt(Math.max(0, 1 - faceCos * faceCos)) / Math.max(0.2, faceCos)))
    sum += cos * lightAt(map, x + lift * fx, y + lift * fy, z + lift * fz, bias)
  }
  return sum / count
}

/** Points of the floor in scene space. A point is NaN if its ray does not meet the floor. */
export type FloorPoints = { x: Float64Array; y: Float64Array }

/**
 * Returns, for each point of the floor, the share of the lamp (`cast`) and of the sky (`contact`) that the
 * part hides. Both are 0 outside the floor. The maps are processed one after the other, so that only one map
 * is in use at a time.
 */
export function shadowsOnFloor({ key, sky, floorZ }: Lighting, floor: FloorPoints) {
  // Each direction of the sky has the square of its cosine as the weight. The cosine alone would give low directions
  // long thin shadows, but only the dark area near the part is wanted.
  const weights = sky.map(({ toLight }) => toLight[2] ** 2)
  return {
    cast: hiddenShares(
      key,
      key.map(() => 1),
      floorZ,
      floor,
    ),
    contact: hiddenShares(sky, weights, floorZ, floor),
  }
}

function hiddenShares(
  maps: readonly LightMap[],
  weights: readonly number[],
  floorZ: number,
  { x, y }: FloorPoints,
): Float32Array {
  const light = new Float64Array(x.length)
  let total = 0
  maps.forEach((map, i) => {
    const weight = weights[i]!
    total += weight
    for (let point = 0; point < x.length; point++)
      light[point]! += weight * lightAt(map, x[point]!, y[point]!, floorZ, 0)
  })
  const hidden = new Float32Array(x.length)
  for (let point = 0; point < x.length; point++) hidden[point] = 1 - light[point]! / total
  return hidden
}

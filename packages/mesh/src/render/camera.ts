import { reachTowards } from './blocks.ts'
import { drawOutlines } from './outlines.ts'
import {
  createDepthBuffer,
  createProjected,
  createScratch,
  type DepthBuffer,
  drawProjected,
  type Projection,
} from './raster.ts'
import type { Placement, Scene } from './scene.ts'
import { cross, type Direction, dot, fromAngles, scaled, sum } from './vectors.ts'

/** A perspective camera. In camera space, x points right, y up, and z toward the camera. */
export type Camera = {
  right: Direction
  up: Direction
  /** Unit vector from the part to the camera. */
  back: Direction
  /** Position of the camera in camera space. */
  eye: Direction
  /** Half the width of the picture at distance 1 from the camera. `tanY` is half its height. */
  tanX: number
  tanY: number
}

/** The default direction of the camera, counter-clockwise from the x axis. */
export const AZIMUTH_DEG = -55
const LENS_DEG = 20
/** The part fills this share of the picture's width or height, depending on which of them it reaches first. */
const FILL = 0.8
/** The part is moved left by this share of the picture, because its shadow falls to the right. */
const SHIFT = 0.015

/** Returns the elevation of the camera. Tall parts are viewed from lower down, and flat parts from higher up. */
export function chooseElevation(halfSize: Scene['halfSize']): number {
  const tallness = halfSize[2] / Math.max(halfSize[0], halfSize[1], 1e-9)
  const stops = [
    [0.5, 34],
    [0.85, 27],
    [1.3, 20],
    [2.2, 16],
  ] as const
  if (tallness <= stops[0][0]) return stops[0][1]
  for (let i = 1; i < stops.length; i++) {
    const [lowAt, low] = stops[i - 1]!
    const [highAt, high] = stops[i]!
    if (tallness <= highAt) return low + ((high - low) * (tallness - lowAt)) / (highAt - lowAt)
  }
  return stops[3][1]
}

/**
 * Places the camera as close as possible, so that the part just fills its share of the picture. With t as the tangent
 * of half the viewing angle, a camera at e sees a vertex (x, y, z) if |x − eₓ| ≤ t (e_z − z). The largest values of ±x
 * + t z over all vertices give the position directly, without trying several.
 */
export function frameScene(scene: Scene, azimuthDeg: number, elevationDeg: number, aspect: number): Camera {
  const back = fromAngles(azimuthDeg, elevationDeg)
  const azimuth = (azimuthDeg * Math.PI) / 180
  const right: Direction = [-Math.sin(azimuth), Math.cos(azimuth), 0]
  const up = cross(back, right)
  const tan = Math.tan((LENS_DEG / 2) * (Math.PI / 180))
  const tanX = tan * aspect
  const tanY = tan
  const fitX = FILL * tanX
  const fitY = FILL * tanY
  const lean = (side: Direction, fit: number) => sum(side, scaled(back, fit))
  const directions = [
    lean(right, fitX),
    lean(scaled(right, -1), fitX),
    lean(up, fitY),
    lean(scaled(up, -1), fitY),
    back,
  ]
  const { origin, unit } = scene.placement
  const reaches = reachTowards(scene.vertices, scene.blocks, directions)
  const [east = 0, west = 0, north = 0, south = 0, nearest = 0] = reaches.map(
    (reach, i) => (reach - dot(directions[i]!, origin)) / unit,
  )
  const distance = Math.max((east + west) / (2 * fitX), (north + south) / (2 * fitY), nearest + 0.5)
  return {
    right,
    up,
    back,
    eye: [(east - west) / 2 + 2 * SHIFT * tanX * distance, (north - south) / 2, distance],
    tanX,
    tanY,
  }
}

/** Finds the visible triangle at each pixel. Depth is 1 / distance, which is linear on the screen. */
export function drawView(scene: Scene, camera: Camera, width: number, height: number): DepthBuffer {
  const buffer = createDepthBuffer(width, height, true)
  const project = createProjection(scene.placement, camera, buffer)
  drawProjected(buffer, scene, project, createScratch(scene))
  if (isNearlyEmpty(buffer)) {
    const points = createProjected(scene.vertices.length / 3)
    project(scene.vertices, points)
    drawOutlines(buffer, points, scene.corners)
  }
  return buffer
}

/** Creates the projection onto the samples of the screen. Constant factors are calculated in advance. */
function createProjection(
  { origin, unit }: Placement,
  { right, up, back, eye, tanX, tanY }: Camera,
  { width, height }: DepthBuffer,
): Projection {
  const [rightX, rightY, rightZ] = scaled(right, 1 / unit)
  const [upX, upY, upZ] = scaled(up, 1 / unit)
  const [backX, backY, backZ] = scaled(back, 1 / unit)
  const eyeRight = eye[0] + dot(right, origin) / unit
  const eyeUp = eye[1] + dot(up, origin) / unit
  const eyeBack = eye[2] + dot(back, origin) / unit
  const scaleX = width / 2 / tanX
  const scaleY = height / 2 / tanY
  const middleX = width / 2 - 0.5
  const middleY = height / 2 - 0.5
  return (vertices, { x, y, depth }) => {
    for (let i = 0, v = 0; i < vertices.length; i += 3, v++) {
      const px = vertices[i]!
      const py = vertices[i + 1]!
      const pz = vertices[i + 2]!
      const nearness = 1 / (eyeBack - (px * backX + py * backY + pz * backZ))
      x[v] = middleX + (px * rightX + py * rightY + pz * rightZ - eyeRight) * nearness * scaleX
      y[v] = middleY - (px * upX + py * upY + pz * upZ - eyeUp) * nearness * scaleY
      depth[v] = nearness
    }
  }
}

/** Returns whether the part covers fewer samples than a thin line across the picture would. */
function isNearlyEmpty({ owners, width }: DepthBuffer): boolean {
  let hits = 0
  for (let pixel = 0; pixel < owners!.length && hits < width; pixel++) if (owners![pixel] !== 0) hits++
  return hits < width
}

/** Returns the camera's position in scene space. */
export function eyePoint(camera: Camera): Float64Array {
  return writeInScene(camera, camera.eye[0], camera.eye[1], camera.eye[2], new Float64Array(3))
}

/**
 * Calculates the direction (not normalized) through the screen point x, y. Both go from 0 to 1, and y points
 * down. The direction is written into `ray`, because a picture needs millions of rays.
 */
export function aimRay(camera: Camera, x: number, y: number, ray: Float64Array) {
  writeInScene(camera, (2 * x - 1) * camera.tanX, (1 - 2 * y) * camera.tanY, -1, ray)
}

function writeInScene({ right, up, back }: Camera, x: number, y: number, z: number, into: Float64Array) {
  into[0] = right[0] * x + up[0] * y + back[0] * z
  into[1] = right[1] * x + up[1] * y + back[1] * z
  into[2] = right[2] * x + up[2] * y + back[2] * z
  return into
}

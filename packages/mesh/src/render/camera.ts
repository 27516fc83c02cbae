import {
  createDepthBuffer,
  createProjected,
  type DepthBuffer,
  drawOutlines,
  drawTriangles,
  type Projected,
} from './raster.ts'
import type { Scene } from './scene.ts'
import { cross, type Direction, fromAngles } from './vectors.ts'

/** A perspective camera. Camera space: x right, y up, z towards the camera. */
export type Camera = {
  right: Direction
  up: Direction
  /** Unit vector from the part to the camera. */
  back: Direction
  /** In camera space. */
  eye: Direction
  /** Half the picture's extent at distance 1. */
  tanX: number
  tanY: number
}

const LENS_DEG = 20
/** Share of the picture that the part fills, across or upright, whichever is tighter. */
const FILL = 0.8
/** The part stands this share of the picture left of the middle, for its shadow falls to the right. */
const SHIFT = 0.015

/** Tall parts are seen from lower down, flat ones from higher up. */
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
 * Places the camera so that the part just fills its share of the picture. A vertex (x, y, z) stays inside the
 * frame of a camera at e where |x − eₓ| ≤ t (e_z − z); the extremes of ±x + t z over all vertices give the
 * nearest such camera directly, without iterating.
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
  let [east, west, north, south, nearest] = [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity]
  const { vertices } = scene
  for (let i = 0; i < vertices.length; i += 3) {
    const px = vertices[i]!
    const py = vertices[i + 1]!
    const pz = vertices[i + 2]!
    const x = px * right[0] + py * right[1] + pz * right[2]
    const y = px * up[0] + py * up[1] + pz * up[2]
    const z = px * back[0] + py * back[1] + pz * back[2]
    if (x + fitX * z > east) east = x + fitX * z
    if (-x + fitX * z > west) west = -x + fitX * z
    if (y + fitY * z > north) north = y + fitY * z
    if (-y + fitY * z > south) south = -y + fitY * z
    if (z > nearest) nearest = z
  }
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

/** Triangles that are projected at a time where they share no vertices: what they need fits into the processor's cache. */
const PART_TRIANGLES = 4096

/** What the camera sees: the nearest triangle at each pixel. Depth is 1 / distance, which is linear on the screen. */
export function drawView(scene: Scene, camera: Camera, width: number, height: number): DepthBuffer {
  const buffer = createDepthBuffer(width, height, true)
  const { vertices, corners, triangleCount } = scene
  if (corners) drawTriangles(buffer, projectAll(vertices, camera, buffer), corners)
  else {
    const points = createProjected(3 * PART_TRIANGLES)
    for (let first = 0; first < triangleCount; first += PART_TRIANGLES) {
      const count = Math.min(PART_TRIANGLES, triangleCount - first)
      project(vertices.subarray(9 * first, 9 * (first + count)), camera, buffer, points)
      drawTriangles(buffer, points, null, { first, count, of: triangleCount })
    }
  }
  if (isNearlyEmpty(buffer)) drawOutlines(buffer, projectAll(vertices, camera, buffer), corners)
  return buffer
}

function projectAll(vertices: Float32Array, camera: Camera, screen: DepthBuffer): Projected {
  const points = createProjected(vertices.length / 3)
  project(vertices, camera, screen, points)
  return points
}

function project(vertices: Float32Array, camera: Camera, { width, height }: DepthBuffer, into: Projected) {
  const { right, up, back, eye } = camera
  const scaleX = width / 2 / camera.tanX
  const scaleY = height / 2 / camera.tanY
  const middleX = width / 2 - 0.5
  const middleY = height / 2 - 0.5
  for (let i = 0, v = 0; i < vertices.length; i += 3, v++) {
    const px = vertices[i]!
    const py = vertices[i + 1]!
    const pz = vertices[i + 2]!
    const depth = 1 / (eye[2] - (px * back[0] + py * back[1] + pz * back[2]))
    into.x[v] = middleX + (px * right[0] + py * right[1] + pz * right[2] - eye[0]) * depth * scaleX
    into.y[v] = middleY - (px * up[0] + py * up[1] + pz * up[2] - eye[1]) * depth * scaleY
    into.depth[v] = depth
  }
}

/** Whether fewer samples were hit than a thread across the picture would cover. */
function isNearlyEmpty({ owners, width }: DepthBuffer): boolean {
  let hits = 0
  for (let pixel = 0; pixel < owners!.length && hits < width; pixel++) if (owners![pixel] !== 0) hits++
  return hits < width
}

/** The camera's place in scene space. */
export function eyePoint(camera: Camera): Direction {
  return toScene(camera, camera.eye[0], camera.eye[1], camera.eye[2])
}

/** Direction (not of unit length) through the screen point x, y, each from 0 to 1, with y downwards. */
export function rayThrough(camera: Camera, x: number, y: number): Direction {
  return toScene(camera, (2 * x - 1) * camera.tanX, (1 - 2 * y) * camera.tanY, -1)
}

function toScene({ right, up, back }: Camera, x: number, y: number, z: number): Direction {
  return [
    right[0] * x + up[0] * y + back[0] * z,
    right[1] * x + up[1] * y + back[1] * z,
    right[2] * x + up[2] * y + back[2] * z,
  ]
}

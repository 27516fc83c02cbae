import { createDepthBuffer, createScratch, drawProjected, type Projected, type Projection } from './raster.ts'
import type { Scene } from './scene.ts'
import { cross, type Direction, normalize, scaled } from './vectors.ts'

/** A depth picture of the part as seen from a light. It shows which points of the part the light reaches. */
export type LightMap = {
  /** Unit vector toward the light. */
  toLight: Direction
  /**
   * Eight numbers t that project a point p onto the map: column = p · (t₀, t₁, t₂) + t₃, and row = p · (t₄, t₅, t₆) +
   * t₇.
   */
  texels: Float64Array
  /**
   * Distance, in scene units, by which a point is lifted off its surface. Without it, the coarse pixels of the map
   * would put the surface into its own shadow.
   */
  lift: number
  sizePx: number
  depth: Float32Array
}

/** Distance by which a point is lifted off its surface, in pixels of the light map. */
const LIFT = 1.2

/** Draws one light map for each direction. The maps use the same buffer for projected vertices, one after the other. */
export function drawLightMaps(scene: Scene, directions: readonly Direction[], sizePx: number): LightMap[] {
  const scratch = createScratch(scene.casters)
  return directions.map((toLight) => drawLightMap(scene, toLight, sizePx, scratch))
}

function drawLightMap(scene: Scene, toLight: Direction, sizePx: number, scratch: Projected): LightMap {
  const u = normalize(cross(Math.abs(toLight[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], toLight))
  const v = cross(toLight, u)
  const { halfSize } = scene
  // The map covers the projected box of the part, with one free pixel on every side.
  const reach = (axis: Direction) => halfSize.reduce((sum, half, i) => sum + half * Math.abs(axis[i]!), 0)
  const extent = Math.max(reach(u), reach(v), 1e-6)
  const scale = (sizePx - 3) / (2 * extent)
  const start = -extent - 1 / scale
  const buffer = createDepthBuffer(sizePx, sizePx, false)
  const project: Projection = (vertices, { x, y, depth }) => {
    for (let i = 0, vertex = 0; i < vertices.length; i += 3, vertex++) {
      const px = vertices[i]!
      const py = vertices[i + 1]!
      const pz = vertices[i + 2]!
      x[vertex] = (px * u[0] + py * u[1] + pz * u[2] - start) * scale
      y[vertex] = (px * v[0] + py * v[1] + pz * v[2] - start) * scale
      depth[vertex] = px * toLight[0] + py * toLight[1] + pz * toLight[2]
    }
  }
  drawProjected(buffer, scene.casters, project, scratch)
  const offset = -start * scale
  const texels = Float64Array.of(...scaled(u, scale), offset, ...scaled(v, scale), offset)
  return { toLight, texels, lift: LIFT / scale, sizePx, depth: buffer.depth }
}

/**
 * Returns the share of the light (0 to 1) that reaches a point. Its depth is compared with the four pixels of the map
 * around it, and the results are blended ("percentage closer filtering", Reeves, Salesin and Cook 1987). `bias`
 * prevents a surface from shading itself.
 */
export function lightAt(map: LightMap, x: number, y: number, z: number, bias: number): number {
  const { toLight, texels, sizePx, depth } = map
  const s = x * texels[0]! + y * texels[1]! + z * texels[2]! + texels[3]!
  const t = x * texels[4]! + y * texels[5]! + z * texels[6]! + texels[7]!
  if (!(s >= 0 && t >= 0 && s < sizePx - 1 && t < sizePx - 1)) return 1
  const column = s | 0
  const row = t | 0
  const limit = x * toLight[0] + y * toLight[1] + z * toLight[2] + bias
  const at = row * sizePx + column
  const a = depth[at]! > limit ? 0 : 1
  const b = depth[at + 1]! > limit ? 0 : 1
  const c = depth[at + sizePx]! > limit ? 0 : 1
  const d = depth[at + sizePx + 1]! > limit ? 0 : 1
  const sum = a + b + c + d
  if (sum === 0 || sum === 4) return sum / 4
  const fs = s - column
  const ft = t - row
  return (a + (b - a) * fs) * (1 - ft) + (c + (d - c) * fs) * ft
}

/**
 * Returns directions that are spread evenly over the sky (a Fibonacci spiral), from the zenith to just above the
 * horizon.
 */
export function spreadOverSky(count: number): Direction[] {
  const golden = Math.PI * (3 - Math.sqrt(5))
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (i + 0.5) / count
    const across = Math.sqrt(1 - z * z)
    return [across * Math.cos(golden * i), across * Math.sin(golden * i), z]
  })
}

/** Returns directions that are spread evenly over a round lamp with the given angular radius. */
export function spreadOverLamp(center: Direction, radiusDeg: number, count: number): Direction[] {
  const u = normalize(cross([0, 0, 1], center))
  const v = cross(center, u)
  const golden = Math.PI * (3 - Math.sqrt(5))
  const radius = Math.tan((radiusDeg * Math.PI) / 180)
  return Array.from({ length: count }, (_, i) => {
    const r = radius * Math.sqrt((i + 0.5) / count)
    const a = r * Math.cos(golden * i)
    const b = r * Math.sin(golden * i)
    return normalize([
      center[0] + a * u[0] + b * v[0],
      center[1] + a * u[1] + b * v[1],
      center[2] + a * u[2] + b * v[2],
    ])
  })
}

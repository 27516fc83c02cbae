import { type Camera, eyePoint, rayThrough } from './camera.ts'
import { LIGHT_GROUPS, type Lighting, shadePoint } from './lighting.ts'
import { createSmoothNormals, type SmoothNormals } from './normals.ts'
import type { DepthBuffer } from './raster.ts'
import type { Scene } from './scene.ts'
import { type Direction, dot } from './vectors.ts'

/** Linear light (red, green, blue of a white part) summed over the samples of each pixel, and how many hit the part. */
export type Surface = { light: Float32Array; hits: Uint8Array }

/** Shades every sample of `view` and gathers them in pixels of `perSide` × `perSide` samples. */
export function shadeSurface(
  scene: Scene,
  camera: Camera,
  lighting: Lighting,
  view: DepthBuffer,
  perSide: number,
): Surface {
  const width = view.width / perSide
  const height = view.height / perSide
  const light = new Float32Array(width * height * 3)
  const hits = new Uint8Array(width * height)
  const normals = createSmoothNormals(scene)
  const eye = eyePoint(camera)
  const colour = new Float32Array(3)
  for (let row = 0; row < view.height; row++) {
    for (let column = 0; column < view.width; column++) {
      const owner = view.owners![row * view.width + column]!
      if (owner === 0) continue
      const ray = rayThrough(camera, (column + 0.5) / view.width, (row + 0.5) / view.height)
      const distance = 1 / view.depth[row * view.width + column]!
      const p: Direction = [
        eye[0] + distance * ray[0],
        eye[1] + distance * ray[1],
        eye[2] + distance * ray[2],
      ]
      const { face, normal } = normalsAt(scene, normals, owner - 1, p, ray)
      shadePoint(lighting, (row + column) % LIGHT_GROUPS, p, face, normal, colour)
      const pixel = Math.floor(row / perSide) * width + Math.floor(column / perSide)
      hits[pixel]!++
      for (let i = 0; i < 3; i++) light[3 * pixel + i]! += colour[i]!
    }
  }
  return { light, hits }
}

/** The flat and the smoothed normal where a ray hits a triangle, both turned towards the camera. */
function normalsAt(scene: Scene, smooth: SmoothNormals, triangle: number, p: Direction, ray: Direction) {
  const { vertices, corners } = scene
  const a = 3 * corners[3 * triangle]!
  const b = 3 * corners[3 * triangle + 1]!
  const c = 3 * corners[3 * triangle + 2]!
  const at = 3 * triangle
  const f: Direction = [smooth.faces[at]!, smooth.faces[at + 1]!, smooth.faces[at + 2]!]
  const squared = dot(f, f) || 1
  // Barycentric coordinates: the areas of the part triangles along the face normal.
  const shareB = -areaShare(vertices, a, c, p, f) / squared
  const shareC = areaShare(vertices, a, b, p, f) / squared
  const wb = Math.min(1, Math.max(0, shareB))
  const wc = Math.min(1 - wb, Math.max(0, shareC))
  const wa = 1 - wb - wc
  const offset = smooth.offsetOf(triangle)
  const values = smooth.values()
  const x = wa * values[offset]! + wb * values[offset + 3]! + wc * values[offset + 6]!
  const y = wa * values[offset + 1]! + wb * values[offset + 4]! + wc * values[offset + 7]!
  const z = wa * values[offset + 2]! + wb * values[offset + 5]! + wc * values[offset + 8]!
  const side = dot(f, ray) > 0 ? -1 : 1
  const faceScale = side / Math.sqrt(squared)
  const scale = side / (Math.sqrt(x * x + y * y + z * z) || 1)
  const face: Direction = [f[0] * faceScale, f[1] * faceScale, f[2] * faceScale]
  const normal: Direction = [x * scale, y * scale, z * scale]
  return { face, normal }
}

/** ((to − from) × (p − from)) · f */
function areaShare(vertices: Float32Array, from: number, to: number, p: Direction, f: Direction): number {
  const ux = vertices[to]! - vertices[from]!
  const uy = vertices[to + 1]! - vertices[from + 1]!
  const uz = vertices[to + 2]! - vertices[from + 2]!
  const vx = p[0] - vertices[from]!
  const vy = p[1] - vertices[from + 1]!
  const vz = p[2] - vertices[from + 2]!
  return (uy * vz - uz * vy) * f[0] + (uz * vx - ux * vz) * f[1] + (ux * vy - uy * vx) * f[2]
}

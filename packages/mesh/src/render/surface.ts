import { type Camera, eyePoint, aimRay } from './camera.ts'
import { LIGHT_GROUPS, type Lighting, shadePoint } from './lighting.ts'
import { createNormals, type SurfacePoint } from './normals.ts'
import type { DepthBuffer } from './raster.ts'
import type { Scene } from './scene.ts'

/**
 * `light` is the linear light (red, green, blue) of a white part, summed over the samples of each pixel. `hits` is the
 * number of samples of each pixel that hit the part.
 */
export type Surface = { light: Float32Array; hits: Uint8Array }

/** Shades every sample of `view`. Each `perSide` × `perSide` samples are added up in one pixel. */
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
  const normals = createNormals(scene)
  const eye = eyePoint(camera)
  const ray = new Float64Array(3)
  const colour = new Float32Array(3)
  // This object is overwritten for each of about a million samples, because creating new objects would take as long as
  // the shading.
  const point: SurfacePoint = {
    p: new Float64Array(3),
    face: new Float64Array(3),
    normal: new Float64Array(3),
  }
  // This is a function of its own for each row, so that V8 optimizes it early. In one long loop, most of the first
  // picture would be drawn by unoptimized code.
  function shadeRow(row: number) {
    for (let column = 0; column < view.width; column++) {
      const sample = row * view.width + column
      const owner = view.owners![sample]!
      if (owner === 0) continue
      aimRay(camera, (column + 0.5) / view.width, (row + 0.5) / view.height, ray)
      const distance = 1 / view.depth[sample]!
      for (let i = 0; i < 3; i++) point.p[i] = eye[i]! + distance * ray[i]!
      normals.find(owner - 1, ray, point)
      shadePoint(lighting, (row + column) % LIGHT_GROUPS, point, colour)
      const pixel = ((row / perSide) | 0) * width + ((column / perSide) | 0)
      hits[pixel]!++
      for (let i = 0; i < 3; i++) light[3 * pixel + i]! += colour[i]!
    }
  }

  for (let row = 0; row < view.height; row++) shadeRow(row)
  return { light, hits }
}

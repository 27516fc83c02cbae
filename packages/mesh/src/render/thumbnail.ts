import { AZIMUTH_DEG, type Camera, chooseElevation, drawView, frameScene } from './camera.ts'
import { drawFloorShadow } from './floor.ts'
import { createLighting, type Lighting } from './lighting.ts'
import { createScene, type Scene } from './scene.ts'
import { shadeSurface, type Surface } from './surface.ts'

export { createTriangleSampler } from './triangle-sampler.ts'

export type RenderOptions = {
  /** The longer side of the picture, 16 to 2048. */
  sizePx: number
  /** Width divided by height. The default is 1. */
  aspect?: number
  /** Color of the filament in linear light, each part from 0 to 1. The default is light gray. */
  tint?: readonly [red: number, green: number, blue: number]
  /** Direction of the camera, counter-clockwise from the x axis. */
  azimuthDeg?: number
  /** Elevation of the camera. By default, it is chosen from the shape of the part. */
  elevationDeg?: number
}

/** Straight (not premultiplied) sRGB with alpha, rows from the top. */
export type Picture = { width: number; height: number; rgba: Uint8ClampedArray<ArrayBuffer> }

/**
 * The light on a face that points upwards under the open sky. Such a face is shown in exactly the color of the
 * filament.
 */
const FULL_LIGHT = 0.74
/** The minimum brightness, so that black parts keep visible edges. */
const DARKEST_TINT = 0.03
const SHADOW_COLOUR = [0.008, 0.012, 0.014] as const

/**
 * Draws a part with its shadow, with z up. The background is transparent, so that one file works in the light and the
 * dark theme. `positions` has nine floats per triangle. The same input always results in the same picture.
 */
export function renderThumbnail(positions: Float32Array, options: RenderOptions): Picture {
  const longer = Math.round(Math.min(2048, Math.max(16, options.sizePx)))
  const aspect = Math.min(8, Math.max(1 / 8, options.aspect ?? 1))
  const width = Math.max(1, Math.round(longer * Math.min(1, aspect)))
  const height = Math.max(1, Math.round(longer / Math.max(1, aspect)))
  const rgba = new Uint8ClampedArray(width * height * 4)
  const scene = createScene(positions)
  if (!scene) return { width, height, rgba }
  const azimuthDeg = options.azimuthDeg ?? AZIMUTH_DEG
  const elevationDeg = options.elevationDeg ?? chooseElevation(scene.halfSize)
  const camera = frameScene(scene, azimuthDeg, elevationDeg, width / height)
  const lighting = createLighting(scene, azimuthDeg)
  // Larger pictures get fewer samples, to limit the memory. All usual sizes have at most 2160 samples on a side.
  const perSide = longer <= 720 ? 3 : longer <= 1024 ? 2 : 1
  drawFrame({ width, height, rgba }, scene, { camera, lighting, perSide, tint: options.tint })
  return { width, height, rgba }
}

type View = {
  camera: Camera
  lighting: Lighting
  /** Each pixel has `perSide` × `perSide` samples. */
  perSide: number
  tint?: RenderOptions['tint']
}

/** Draws the scene into an empty picture, as the camera sees it. */
export function drawFrame({ width, height, rgba }: Picture, scene: Scene, view: View) {
  const { camera, lighting, perSide, tint } = view
  const depth = drawView(scene, camera, width * perSide, height * perSide)
  const surface = shadeSurface(scene, camera, lighting, depth, perSide)
  const shadow = drawFloorShadow(camera, lighting, width, height)
  composePicture(rgba, surface, shadow, perSide * perSide, tint)
}

/** Draws the part over its shadow, blending both in linear light, and converts the result to sRGB. */
function composePicture(
  rgba: Uint8ClampedArray,
  surface: Surface,
  shadow: Float32Array,
  samples: number,
  tint: RenderOptions['tint'],
) {
  const scale = tint ? tint.map((part) => Math.max(DARKEST_TINT, part) / FULL_LIGHT) : [1, 1, 1]
  for (let pixel = 0; pixel < shadow.length; pixel++) {
    const coverage = surface.hits[pixel]! / samples
    const behind = (1 - coverage) * shadow[pixel]!
    const alpha = coverage + behind
    if (alpha < 1 / 512) continue
    for (let i = 0; i < 3; i++) {
      const part = (surface.light[3 * pixel + i]! / samples) * scale[i]!
      rgba[4 * pixel + i] = 255 * encodeSrgb((part + behind * SHADOW_COLOUR[i]!) / alpha)
    }
    rgba[4 * pixel + 3] = 255 * alpha
  }
}

/** Converts linear light to sRGB (IEC 61966-2-1). */
function encodeSrgb(linear: number): number {
  if (linear <= 0.0031308) return 12.92 * Math.max(0, linear)
  return 1.055 * Math.min(1, linear) ** (1 / 2.4) - 0.055
}

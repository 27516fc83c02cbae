import { drawFrame, type Picture } from './thumbnail.ts'
import { AZIMUTH_DEG, type Camera, chooseElevation, frameScene } from './camera.ts'
import { createLighting, createSky } from './lighting.ts'
import { createScene } from './scene.ts'

const THUMBNAIL_SAMPLES_PER_SIDE = 3
/** Fewer samples than in a thumbnail, because people look less closely at a moving or hidden picture. */
const SAMPLES_PER_SIDE = 2

type TurntableOptions = {
  /** Side of each square picture. */
  sizePx: number
  /** Number of pictures in one full turn. */
  frames: number
}

/**
 * Draws a part like `renderThumbnail`, and a second time from behind with fewer samples. The second picture takes half
 * as long as the first.
 */
export function renderBothSides(positions: Float32Array, sizePx: number): { front: Picture; back: Picture } {
  const empty = () => ({ width: sizePx, height: sizePx, rgba: new Uint8ClampedArray(sizePx * sizePx * 4) })
  const views = { front: empty(), back: empty() }
  const scene = createScene(positions)
  if (!scene) return views
  const elevationDeg = chooseElevation(scene.halfSize)
  const sky = createSky(scene)
  const draw = (picture: Picture, azimuthDeg: number, perSide: number) => {
    const camera = frameScene(scene, azimuthDeg, elevationDeg, 1)
    const lighting = createLighting(scene, azimuthDeg, sky)
    drawFrame(picture, scene, { camera, lighting, perSide })
  }
  draw(views.front, AZIMUTH_DEG, THUMBNAIL_SAMPLES_PER_SIDE)
  draw(views.back, AZIMUTH_DEG + 180, SAMPLES_PER_SIDE)
  return views
}

/**
 * Draws a part from all sides, beginning with the thumbnail's direction. It turns around the middle of its
 * box at a constant size, with the camera so far away that every frame contains the part. The frames are
 * stacked in a strip of `frames` × `sizePx` rows. The strip is empty if there is nothing to draw.
 */
export function renderTurntable(positions: Float32Array, { sizePx, frames }: TurntableOptions): Picture {
  const height = frames * sizePx
  const rgba = new Uint8ClampedArray(sizePx * height * 4)
  const scene = createScene(positions)
  if (!scene) return { width: sizePx, height, rgba }
  const elevationDeg = chooseElevation(scene.halfSize)
  const azimuths = Array.from({ length: frames }, (_, i) => AZIMUTH_DEG + (360 * i) / frames)
  const cameras = azimuths.map((azimuthDeg) => frameScene(scene, azimuthDeg, elevationDeg, 1))
  const eye = commonEye(cameras)
  const sky = createSky(scene)
  cameras.forEach((camera, i) => {
    const frame = new Uint8ClampedArray(rgba.buffer, i * sizePx * sizePx * 4, sizePx * sizePx * 4)
    const picture = { width: sizePx, height: sizePx, rgba: frame }
    const lighting = createLighting(scene, azimuths[i]!, sky)
    drawFrame(picture, scene, { camera: { ...camera, eye }, lighting, perSide: SAMPLES_PER_SIDE })
  })
  return { width: sizePx, height, rgba }
}

/**
 * Returns one camera position from which the whole part is visible in every view. If a camera is moved sideways by d,
 * it must also move back by d / tan to keep the part in the frame (see `frameScene`). The part turns around the
 * vertical axis, so the common position is in front of this axis.
 */
function commonEye(cameras: readonly Camera[]): Camera['eye'] {
  const heights = cameras.map(({ eye }) => eye[1])
  const y = (Math.min(...heights) + Math.max(...heights)) / 2
  const distances = cameras.map(({ eye, tanX, tanY }) => {
    return eye[2] + Math.max(Math.abs(eye[0]) / tanX, Math.abs(eye[1] - y) / tanY)
  })
  return [0, y, Math.max(...distances)]
}

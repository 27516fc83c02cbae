import { aimRay, type Camera, eyePoint } from './camera.ts'
import { type FloorPoints, type Lighting, shadowsOnFloor } from './lighting.ts'

const CAST_STRENGTH = 0.42
const CONTACT_STRENGTH = 0.4
/** Share of the picture over which the shadow fades toward the border, so that it is never cut off. */
const FADE = 0.15

/** The part casts a contact shadow only where it hides more than this share of the sky from the floor. */
const CONTACT_FROM = 0.11

/** Returns the opacity (0 to 1) of the shadow on the floor at each pixel, including under the part. */
export function drawFloorShadow(
  camera: Camera,
  lighting: Lighting,
  width: number,
  height: number,
): Float32Array {
  // A shadow is soft, so every second pixel in each direction is enough. The blur below hides the difference.
  const columns = Math.ceil(width / 2)
  const rows = Math.ceil(height / 2)
  const { cast, contact } = shadowsOnFloor(lighting, findFloor(camera, lighting.floorZ, width, height))
  // The limited number of lights leaves faint edges in the shadow. A small blur removes them.
  blur(cast, columns, rows, Math.round(0.01 * columns))
  blur(contact, columns, rows, Math.round(0.014 * columns))
  return mixShadows(cast, contact, columns, rows, width, height)
}

/** Calculates where the rays through every second pixel of every second row meet the floor. */
function findFloor(camera: Camera, floorZ: number, width: number, height: number): FloorPoints {
  const columns = Math.ceil(width / 2)
  const rows = Math.ceil(height / 2)
  const points = { x: new Float64Array(columns * rows), y: new Float64Array(columns * rows) }
  const eye = eyePoint(camera)
  const ray = new Float64Array(3)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      aimRay(camera, (2 * column + 1) / width, (2 * row + 1) / height, ray)
      const along = (floorZ - eye[2]!) / ray[2]!
      const isMet = along > 0 && along < 1e6
      const point = row * columns + column
      points.x[point] = isMet ? eye[0]! + along * ray[0]! : Number.NaN
      points.y[point] = isMet ? eye[1]! + along * ray[1]! : Number.NaN
    }
  }
  return points
}

function mixShadows(
  cast: Float32Array,
  contact: Float32Array,
  columns: number,
  rows: number,
  width: number,
  height: number,
): Float32Array {
  const opacity = new Float32Array(width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const edge =
        Math.min(column, row, width - 1 - column, height - 1 - row) / (FADE * Math.min(width, height))
      const x = column / 2 - 0.25
      const y = row / 2 - 0.25
      const hidden = Math.max(0, sample(contact, columns, rows, x, y) - CONTACT_FROM) / (1 - CONTACT_FROM)
      const light = (1 - CAST_STRENGTH * sample(cast, columns, rows, x, y)) * (1 - CONTACT_STRENGTH * hidden)
      opacity[row * width + column] = (1 - light) * smoothStep(edge)
    }
  }
  return opacity
}

/** Returns the bilinear interpolation at a point. Beyond the border, the border's values are repeated. */
function sample(values: Float32Array, columns: number, rows: number, x: number, y: number): number {
  const left = Math.min(columns - 1, Math.max(0, Math.floor(x)))
  const top = Math.min(rows - 1, Math.max(0, Math.floor(y)))
  const right = Math.min(columns - 1, left + 1)
  const bottom = Math.min(rows - 1, top + 1)
  const fx = Math.min(1, Math.max(0, x - left))
  const fy = Math.min(1, Math.max(0, y - top))
  const upper = values[top * columns + left]! * (1 - fx) + values[top * columns + right]! * fx
  const lower = values[bottom * columns + left]! * (1 - fx) + values[bottom * columns + right]! * fx
  return upper * (1 - fy) + lower * fy
}

function smoothStep(t: number): number {
  const x = Math.min(1, Math.max(0, t))
  return x * x * (3 - 2 * x)
}

/** Blurs in place with two box blurs along rows and columns, which approximate a Gaussian blur. */
function blur(values: Float32Array, width: number, height: number, radius: number) {
  if (radius < 1) return
  const line = new Float32Array(Math.max(width, height))
  for (let pass = 0; pass < 2; pass++) {
    for (let row = 0; row < height; row++) blurLine(values, row * width, 1, width, radius, line)
    for (let column = 0; column < width; column++) blurLine(values, column, width, height, radius, line)
  }
}

function blurLine(
  values: Float32Array,
  start: number,
  stride: number,
  length: number,
  radius: number,
  line: Float32Array,
) {
  const at = (i: number) => values[start + Math.min(length - 1, Math.max(0, i)) * stride]!
  let sum = 0
  for (let i = -radius; i <= radius; i++) sum += at(i)
  for (let i = 0; i < length; i++) {
    line[i] = sum / (2 * radius + 1)
    sum += at(i + radius + 1) - at(i - radius)
  }
  for (let i = 0; i < length; i++) values[start + i * stride] = line[i]!
}

// Draws the picture of the sign-in screen with the renderer of the library. The picture shows a small gearbox, made of
// shapes that the tests also use. Run this by hand after a change of the renderer or of the gearbox:
// `node scripts/web/sign-in-picture.ts`.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { renderThumbnail } from '@pegasus/mesh/render/thumbnail'
import { createCylinder, createGear, createPlate } from '@pegasus/mesh/samples/shapes'
import sharp from 'sharp'

/** The width and height of the picture. */
const SIZE_PX = 960
const TARGET = fileURLToPath(new URL('../../apps/web/public/sign-in-part.webp', import.meta.url))

interface Placement {
  x?: number
  y?: number
  z?: number
  turnDeg?: number
}

/** Returns a shape that is rotated around the z axis and moved, in millimeters. */
function place(shape: Float32Array, { x = 0, y = 0, z = 0, turnDeg = 0 }: Placement): Float32Array {
  const [sin, cos] = [Math.sin((turnDeg * Math.PI) / 180), Math.cos((turnDeg * Math.PI) / 180)]
  return shape.map((_, i) => {
    const corner = i - (i % 3)
    const [px = 0, py = 0, pz = 0] = shape.subarray(corner, corner + 3)
    if (i === corner) return px * cos - py * sin + x
    return i === corner + 1 ? px * sin + py * cos + y : pz + z
  })
}

function join(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const MODULE = 2.5
const centerDistance = (teeth: number, others: number): number => (MODULE * (teeth + others)) / 2

/**
 * Returns the triangles of a gearbox: three planet gears on a carrier around a sun gear, four pillars, and two more
 * gears on the shaft.
 */
function createGearbox(): Float32Array {
  const [sun, planet] = [18, 14]
  const reach = centerDistance(sun, planet)
  const planets = [90, 210, 330].flatMap((angleDeg) => {
    const [x, y] = [
      reach * Math.cos((angleDeg * Math.PI) / 180),
      reach * Math.sin((angleDeg * Math.PI) / 180),
    ]
    return [
      place(createGear(planet, MODULE, 14), { x, y, z: 12, turnDeg: angleDeg + 180 / planet }),
      place(createCylinder(6, 22, 64), { x, y, z: 8 }),
    ]
  })
  const pillars = [45, 135, 225, 315].map((angleDeg) => {
    const reach = 62
    const [x, y] = [
      reach * Math.cos((angleDeg * Math.PI) / 180),
      reach * Math.sin((angleDeg * Math.PI) / 180),
    ]
    return place(createCylinder(6, 34, 64), { x, y, z: 9 })
  })
  return join([
    createPlate(112, 112, 10, 14),
    ...planets,
    ...pillars,
    place(createGear(sun, MODULE, 18), { z: 10 }),
    place(createCylinder(10, 92, 96), { z: 6 }),
    place(createGear(26, 2.6, 12), { z: 44, turnDeg: 4 }),
    place(createGear(16, 2.6, 12), { z: 68, turnDeg: 11 }),
  ])
}

const { width, height, rgba } = renderThumbnail(createGearbox(), { sizePx: SIZE_PX })
const picture = await sharp(rgba, { raw: { width, height, channels: 4 } })
  .webp({ quality: 88 })
  .toBuffer()
writeFileSync(TARGET, picture)

import type { Vec3 } from './view-math.ts'

/**
 * Moves a model in place, so that its lowest point is at z = 0 and it is centered on x and y. Returns its
 * size. Coordinates in a file may be far from the origin, and would flicker in the single precision of a
 * graphics card.
 */
export function standOnBed(positions: Float32Array): Vec3 {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3
    const value = positions[i] as number
    if (value < (low[axis] as number)) low[axis] = value
    if (value > (high[axis] as number)) high[axis] = value
  }
  const [lx, ly, lz] = low as [number, number, number]
  const [hx, hy, hz] = high as [number, number, number]
  const shift = [(lx + hx) / 2, (ly + hy) / 2, lz]
  for (let i = 0; i < positions.length; i++)
    positions[i] = (positions[i] as number) - (shift[i % 3] as number)
  return [hx - lx, hy - ly, hz - lz]
}

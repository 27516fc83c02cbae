import { BufferAttribute, BufferGeometry, type Color, Group, LineBasicMaterial, LineSegments } from 'three'
import { BED_SIZE_MM } from './bed-size.ts'

const GRID_STEP_MM = 10

/** Draws the outline of a common print bed with a grid of 1 cm, centered under the part. */
export function createBed() {
  const half = BED_SIZE_MM / 2
  const grid: number[] = []
  for (let at = 0; at < half; at += GRID_STEP_MM)
    for (const side of at === 0 ? [0] : [-at, at])
      grid.push(side, -half, 0, side, half, 0, -half, side, 0, half, side, 0)
  const corners = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ] as const
  const outline = corners.flatMap(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % 4] as readonly [number, number]
    return [x, y, 0, nextX, nextY, 0]
  })
  const gridLines = lines(grid, 0.08)
  const outlineLines = lines(outline, 0.32)
  const object = new Group()
  object.add(gridLines, outlineLines)
  return {
    object,
    setInk: (ink: Color) => {
      gridLines.material.color.copy(ink)
      outlineLines.material.color.copy(ink)
    },
    dispose: () => {
      for (const part of [gridLines, outlineLines]) {
        part.geometry.dispose()
        part.material.dispose()
      }
    },
  }
}

function lines(coordinates: number[], opacity: number) {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(coordinates), 3))
  return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity, depthWrite: false }))
}

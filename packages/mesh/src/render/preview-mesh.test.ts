import { describe, expect, it } from 'vitest'
import { createSurfaceMeter } from '../measure/measure.ts'
import { measureMesh } from '../../test/measure-mesh.ts'
import { parseStl } from '../stl/parse-stl.ts'
import { createPreviewBuilder, previewPositions } from './preview-mesh.ts'
import { createGear, createSphere, createTorus, createVase } from '../../samples/shapes.ts'
import { writeBinaryStl } from '../stl/write-stl.ts'
import { seededRandom } from '../../test/stl-tools.ts'

function preview(positions: Float32Array, maxTriangles: number) {
  const meter = createSurfaceMeter()
  meter.add(positions, positions.length / 9)
  const builder = createPreviewBuilder(meter.finish(), maxTriangles)
  for (let at = 0; at < positions.length; at += 9 * 1024) {
    const block = positions.subarray(at, at + 9 * 1024)
    builder.sink(block, block.length / 9)
  }
  return builder.finish()
}

describe('building the preview mesh', () => {
  it.each([
    ['a sphere', createSphere(15, 512), 20_000],
    ['a torus', createTorus(20, 7, 400), 10_000],
    ['a vase', createVase(80, 600), 20_000],
  ])(
    'the preview mesh of %s has at most the requested number of triangles, and looks the same',
    (_, positions, maxTriangles) => {
      const before = measureMesh(positions)
      expect(before.triangles).toBeGreaterThan(4 * maxTriangles)
      const mesh = preview(positions, maxTriangles)
      const after = measureMesh(previewPositions(mesh))
      expect(after.triangles).toBeLessThanOrEqual(maxTriangles)
      expect(after.triangles).toBeGreaterThan(maxTriangles / 3)
      expect(after.volumeMm3 / before.volumeMm3).toBeCloseTo(1, 1)
      expect(after.isInsideOut).toBe(false)
      for (let axis = 0; axis < 3; axis++) {
        const ratio = after.boundingBox.size[axis]! / before.boundingBox.size[axis]!
        expect(Math.abs(ratio - 1)).toBeLessThan(0.02)
      }
    },
  )

  it('the preview mesh of a mesh with few triangles is the unchanged mesh', () => {
    const gear = createGear()
    expect(previewPositions(preview(gear, 100_000)).length).toBe(gear.length)
    const { triangles, volumeMm3, isWatertight } = measureMesh(previewPositions(preview(gear, 100_000)))
    expect({ triangles, isWatertight }).toEqual({ triangles: gear.length / 9, isWatertight: true })
    expect(volumeMm3).toBeCloseTo(measureMesh(gear).volumeMm3, 1)
  })

  it('the preview mesh stays within its limit for unconnected triangles', () => {
    const random = seededRandom(3)
    const soup = Float32Array.from({ length: 9 * 200_000 }, () => random() * 100)
    expect(preview(soup, 5000).indices.length / 3).toBeLessThanOrEqual(5000)
  })

  it('the same input always gives the same preview mesh, which can be written as an STL', () => {
    const vase = createVase(80, 300)
    expect(preview(vase, 3000)).toEqual(preview(vase, 3000))
    const parsed = parseStl(writeBinaryStl(previewPositions(preview(vase, 3000))))
    expect(parsed.ok && parsed.positions.length / 9).toBeLessThanOrEqual(3000)
  })

  it('the preview mesh of an empty mesh is empty', () => {
    expect(preview(new Float32Array(90), 10).indices.length).toBe(0)
  })
})

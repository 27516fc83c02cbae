import { describe, expect, it } from 'vitest'
import { createTriangleSampler, renderThumbnail } from './thumbnail.ts'
import { measureMesh } from '../../test/measure-mesh.ts'
import { createDepthBuffer, drawTriangles } from './raster.ts'
import { createSphere } from '../../samples/shapes.ts'

describe('thumbnails of large meshes', () => {
  it('drawing 40,000 triangles that each fill the picture takes less than 0.5 s of CPU time', () => {
    const count = 40_000
    const points = {
      x: new Float32Array(3 * count).map((_, i) => [0, 255, 128][i % 3]!),
      y: new Float32Array(3 * count).map((_, i) => [0, 0, 255][i % 3]!),
      depth: new Float32Array(3 * count).map((_, i) => Math.floor(i / 3)),
    }
    const corners = new Int32Array(3 * count).map((_, i) => i)
    const buffer = createDepthBuffer(256, 256, true)
    const before = process.cpuUsage().user
    drawTriangles(buffer, points, corners)
    // If the work were not limited, drawing these triangles would take more than a second.
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500)
    // The last triangles are also drawn.
    expect(buffer.depth[128 * 256 + 128]).toBeGreaterThan(0.9 * count)
  })

  it('a thumbnail looks almost the same for an unwelded fine mesh, and shows even a part thinner than a pixel', () => {
    const fine = createSphere(15, 400)
    const [one, other] = [createSphere(15, 96), fine].map((part) => renderThumbnail(part, { sizePx: 96 }))
    const difference = one!.rgba.reduce((sum, value, i) => sum + Math.abs(value - other!.rgba[i]!), 0)
    expect(difference / one!.rgba.length).toBeLessThan(2)
    const needle = fine.map((value, i) => (i % 3 === 2 ? value : value / 2000))
    expect(renderThumbnail(needle, { sizePx: 48 }).rgba.some((value, i) => i % 4 === 3 && value > 60)).toBe(
      true,
    )
  })

  it('a thumbnail of a fine mesh looks the same whether the mesh is near the origin or far away', () => {
    // All corners are multiples of 1/16 mm, so that float32 can represent them exactly even far from the origin.
    const near = createSphere(15, 400).map((value) => Math.round(16 * value) / 16)
    const far = near.map((value) => value + 65_536)
    const given = far.slice()
    const [one, other] = [near, far].map((part) => renderThumbnail(part, { sizePx: 96 }))
    const differences = one!.rgba.map((value, i) => Math.abs(value - other!.rgba[i]!))
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(0.05)
    expect(far).toEqual(given)
  })

  it('a thumbnail that is drawn from a sample of a sixth of the triangles looks almost the same', () => {
    const whole = createSphere(15, 256)
    const { surfaceAreaMm2, triangles } = measureMesh(whole)
    const sampler = createTriangleSampler(surfaceAreaMm2, Math.ceil(triangles / 6))
    sampler.sink(whole, triangles)
    const sample = sampler.positions()
    expect(sample.length).toBeLessThanOrEqual(9 * (triangles / 6 + 2))
    const [one, other] = [whole, sample].map((positions) => renderThumbnail(positions, { sizePx: 96 }))
    const difference = one!.rgba.reduce((sum, value, i) => sum + Math.abs(value - other!.rgba[i]!), 0)
    expect(difference / one!.rgba.length).toBeLessThan(10)
  })
})

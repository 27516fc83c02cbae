import { describe, expect, it } from 'vitest'
import { createSurfaceMeter } from './measure.ts'
import { measureMesh } from '../../test/measure-mesh.ts'
import * as shapes from '../../samples/shapes.ts'
import { meshWarnings, streamedWarnings } from './mesh-warnings.ts'
import { createWelder, weldVertices } from '../topology/weld.ts'

const {
  createBox,
  createBracket,
  createCone,
  createCube,
  createCylinder,
  createGear,
  createPlate,
  createSphere,
  createTorus,
  createVase,
} = shapes

/** Returns the volume of a cylinder that is approximated by a prism with this many segments. */
const prism = (radius: number, height: number, segments: number) =>
  0.5 * segments * Math.sin((2 * Math.PI) / segments) * radius ** 2 * height

const keyOf = (points: Float32Array, vertex: number): string =>
  points.subarray(3 * vertex, 3 * vertex + 3).join(' ')
const keysOf = (positions: Float32Array): string[] =>
  Array.from({ length: positions.length / 3 }, (_, corner) => keyOf(positions, corner))

const KNOWN = [
  { name: 'a box', positions: createBox(3, 4, 5), volume: 60, tolerance: 1e-7 },
  { name: 'a cube', positions: createCube(20), volume: 8000, tolerance: 1e-7 },
  { name: 'a cylinder', positions: createCylinder(10, 30, 64), volume: prism(10, 30, 64), tolerance: 1e-6 },
  { name: 'a cone', positions: createCone(12, 25, 64), volume: prism(12, 25, 64) / 3, tolerance: 1e-6 },
  {
    name: 'a fine sphere',
    positions: createSphere(15, 256),
    volume: (4 / 3) * Math.PI * 15 ** 3,
    tolerance: 1e-3,
  },
  {
    name: 'a fine torus',
    positions: createTorus(20, 7, 256),
    volume: 2 * Math.PI ** 2 * 20 * 49,
    tolerance: 2e-3,
  },
  {
    name: 'a bracket',
    positions: createBracket(40, 25, 6),
    volume: 25 * (40 * 6 + 34 * 6 + 10.8 ** 2 / 2),
    tolerance: 1e-6,
  },
]

const PRINTABLE = [
  ...KNOWN,
  { name: 'a gear', positions: createGear() },
  { name: 'a plate', positions: createPlate() },
  { name: 'a vase', positions: createVase() },
]

describe('measuring a mesh', () => {
  it.each(KNOWN)('measureMesh finds the volume of $name', ({ positions, volume, tolerance }) => {
    expect(Math.abs(measureMesh(positions).volumeMm3 / volume - 1)).toBeLessThan(tolerance)
  })

  it.each(PRINTABLE)('measureMesh reports no warning for $name standing on the floor', ({ positions }) => {
    const measures = measureMesh(positions)
    expect(measures).toMatchObject({
      isWatertight: true,
      isVolumeTrusted: true,
      isInsideOut: false,
      shells: 1,
      openEdges: 0,
      nonManifoldEdges: 0,
      windingErrors: 0,
      degenerateTriangles: 0,
      duplicateTriangles: 0,
    })
    expect(measures.boundingBox.min[2]).toBe(0)
    if (measures.boundingBox.size[0] > 10) expect(meshWarnings(measures, [])).toEqual([])
  })

  it('measureMesh is equally precise for a model far from the origin', () => {
    const far = createCube(16).map((value) => value + 4096)
    expect(measureMesh(far).volumeMm3).toBeCloseTo(4096, 6)
  })

  it('weldVertices treats minus zero like zero', () => {
    expect(
      weldVertices(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, -0, 0, 1, 0, 1, 0, 0)).vertexCount,
    ).toBe(3)
  })

  it.each([0, 1, 10_000])(
    'welding block by block gives the same result as welding all triangles together if %i triangles are expected',
    (expected) => {
      // Half of the triangles share no corners, so the mesh has more vertices than the welder expects.
      const soup = createSphere(7, 96).map((value, i) => (i % 900 < 450 ? value : value + i))
      const welder = createWelder(expected)
      let triangles = 0
      for (let size = 1; triangles < soup.length / 9; size = (2 * size) % 1021) {
        const block = soup.subarray(9 * triangles, 9 * (triangles + size))
        welder.sink(block, block.length / 9)
        triangles += block.length / 9
      }
      const { ids, points, vertexCount } = welder.finish()
      expect(triangles).toBe(soup.length / 9)
      expect(vertexCount).toBe(new Set(keysOf(soup)).size)
      expect(Array.from(ids, (id) => keyOf(points, id))).toEqual(keysOf(soup))
      expect(ids).toEqual(weldVertices(soup).ids)
    },
  )

  it('if a triangle is missing, measureMesh counts the open edges and does not trust the volume', () => {
    const measures = measureMesh(createCube().subarray(9))
    expect(measures).toMatchObject({ openEdges: 3, isWatertight: false, isVolumeTrusted: false })
    expect(meshWarnings(measures, [])[0]).toEqual({
      code: 'open-edges',
      message: '3 open edges: the slicer may leave a hole here',
    })
  })

  it('measureMesh detects a single triangle that faces the wrong way', () => {
    const cube = createCube()
    const [a, b, c] = [cube.slice(0, 3), cube.slice(3, 6), cube.slice(6, 9)]
    cube.set([...a, ...c, ...b])
    const measures = measureMesh(cube)
    expect(measures).toMatchObject({ windingErrors: 3, isWatertight: true, isVolumeTrusted: false })
  })

  it('measureMesh detects a model turned inside out, and still returns its volume', () => {
    const mirrored = createCube().map((value, i) => (i % 3 === 0 ? -value : value))
    const measures = measureMesh(mirrored)
    expect(measures).toMatchObject({ volumeMm3: 8000, isInsideOut: true, isVolumeTrusted: true })
    expect(meshWarnings(measures, []).map((warning) => warning.code)).toEqual(['inverted'])
  })

  it('measureMesh counts duplicate and degenerate triangles, and edges that three surfaces share', () => {
    const cube = createCube()
    const doubled = measureMesh(Float32Array.of(...cube, ...cube.subarray(0, 9)))
    expect(doubled).toMatchObject({ duplicateTriangles: 1, nonManifoldEdges: 3, isWatertight: false })
    const pinched = measureMesh(Float32Array.of(...cube, ...cube.subarray(0, 6), ...cube.subarray(0, 3)))
    expect(pinched).toMatchObject({ degenerateTriangles: 1, duplicateTriangles: 0, isWatertight: true })
  })

  it('measureMesh counts duplicate triangles around one vertex, in any orientation and rotation', () => {
    const spokes = Array.from({ length: 20 }, (_, i) => [1, i, i * i])
    const sails = spokes.slice(1).map((spoke, i) => [[0, 0, 0], spokes[i]!, spoke])
    const turned = sails.map(([hub, one, other], i) => (i % 2 === 0 ? [other, hub, one] : [one, hub, other]))
    const measures = measureMesh(Float32Array.from([...sails, ...turned].flat(2) as number[]))
    expect(measures).toMatchObject({ triangles: 38, duplicateTriangles: 19, degenerateTriangles: 0 })
  })

  it('measureMesh is fast for a fan of 200,000 triangles around one vertex', () => {
    const count = 200_000
    const fan = new Float32Array(9 * count)
    for (let i = 0; i < count; i++) fan.set([0, 0, 0, 1, i, i * i, 1, i + 1, (i + 1) ** 2], 9 * i)
    const startedAt = performance.now()
    expect(measureMesh(fan)).toMatchObject({ shells: 1, triangles: count })
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })

  it('measuring block by block gives the same result as measuring the whole mesh, with volumes equal to nine digits', () => {
    for (const { positions } of PRINTABLE) {
      const meter = createSurfaceMeter()
      for (let at = 0; at < positions.length; at += 9 * 7) {
        const block = positions.subarray(at, at + 9 * 7)
        meter.add(block, block.length / 9)
      }
      const { isVolumeIndependent, volumeMm3, surfaceAreaMm2, ...rest } = meter.finish()
      const whole = measureMesh(positions)
      expect(whole).toMatchObject({ ...rest, isVolumeTrusted: isVolumeIndependent })
      expect(volumeMm3 / whole.volumeMm3).toBeCloseTo(1, 9)
      expect(surfaceAreaMm2 / whole.surfaceAreaMm2).toBeCloseTo(1, 9)
    }
  })

  it('a model with a hole gets two warnings if its edges are not checked: about that, and about its volume', () => {
    const meter = createSurfaceMeter()
    meter.add(createCube(20).subarray(9), 11)
    expect(streamedWarnings(meter.finish(), []).map(({ code }) => code)).toEqual([
      'not-checked',
      'volume-uncertain',
    ])
  })

  it('for an empty mesh, all measures of measureMesh are zero', () => {
    expect(measureMesh(new Float32Array(0))).toMatchObject({
      triangles: 0,
      volumeMm3: 0,
      isWatertight: false,
      shells: 0,
    })
  })
})

describe('warnings about units', () => {
  it.each([
    { size: 0.2, code: 'units-metres', says: '0.2 mm tall: was the model drawn in meters?' },
    { size: 2.5, code: 'units-inches', says: '2.5 mm tall: was the model drawn in inches?' },
    {
      size: 25_000,
      code: 'units-too-large',
      says: '25,000 mm tall: larger than any printer, check the units',
    },
    {
      size: 3e38,
      code: 'units-too-large',
      says: 'over 1,000,000 mm tall: larger than any printer, check the units',
    },
    { size: 1e-12, code: 'units-metres', says: 'under 0.001 mm tall: was the model drawn in meters?' },
  ])('a warning asks whether the unit is right for a cube of $size mm', ({ size, code, says }) => {
    expect(meshWarnings(measureMesh(createCube(size)), [])).toContainEqual({ code, message: says })
  })

  it('warnings about units come after the warnings about the structure', () => {
    const structural = [
      { code: 'extra-bytes', message: '1 byte after the last triangle was ignored' },
    ] as const
    const codes = meshWarnings(measureMesh(createCube(2)), [...structural]).map((warning) => warning.code)
    expect(codes).toEqual(['extra-bytes', 'units-inches'])
  })
})

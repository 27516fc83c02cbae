import { describe, expect, test } from 'vitest'
import { cornerNormals } from './corner-normals.ts'
import { standOnBed } from './place-on-bed.ts'

/** Returns two triangles that share the edge (0,0,0)–(0,1,0) and meet at an angle of `degrees`. */
function hinge(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180
  const [x, z] = [Math.cos(angle), Math.sin(angle)]
  return new Float32Array([-1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, x, 0, z, 0, 1, 0])
}

const normalAt = (normals: Int16Array, corner: number) =>
  [...normals.subarray(corner * 3, corner * 3 + 3)].map((part) => part / 32767)

describe('shading normals', () => {
  test('shading normals are smoothed at shared corners if the surface bends by less than the crease angle', () => {
    const normals = cornerNormals(hinge(20), 30)
    const half = (10 * Math.PI) / 180
    expect(normalAt(normals, 1)[0]).toBeCloseTo(-Math.sin(half), 3)
    expect(normalAt(normals, 1)[2]).toBeCloseTo(Math.cos(half), 3)
    expect(normalAt(normals, 0)).toEqual([expect.closeTo(0), expect.closeTo(0), expect.closeTo(1, 3)])
  })

  test('shading normals stay separate at a sharp edge', () => {
    const normals = cornerNormals(hinge(60), 30)
    expect(normalAt(normals, 1)[2]).toBeCloseTo(1, 3)
    expect(normalAt(normals, 3)[2]).toBeCloseTo(Math.cos(Math.PI / 3), 3)
  })

  test('shading normals treat -0 and 0 as the same coordinate', () => {
    const positions = hinge(20)
    positions[3] = -0
    expect(normalAt(cornerNormals(positions, 30), 1)[0]).toBeLessThan(-0.1)
  })

  test('shading normals stay valid next to a triangle without area', () => {
    const normals = cornerNormals(new Float32Array(9), 30)
    expect([...normals]).toEqual(Array(9).fill(0))
  })

  test('computing shading normals takes linear time, even for 100,000 triangles around one point', () => {
    const count = 100_000
    const fan = new Float32Array(count * 9)
    for (let i = 0; i < count; i++) {
      const [a, b] = [(i / count) * 2 * Math.PI, ((i + 1) / count) * 2 * Math.PI]
      fan.set([0, 0, 0, Math.cos(a), Math.sin(a), 0, Math.cos(b), Math.sin(b), 0], i * 9)
    }
    const normals = cornerNormals(fan, 30)
    expect(normalAt(normals, 0)[2]).toBeCloseTo(1, 2)
  })
})

describe('placing a part on the bed', () => {
  test('standOnBed moves a part to the middle of the bed and returns its size', () => {
    const positions = new Float32Array([1000, 2000, 50, 1010, 2000, 50, 1000, 2020, 55])
    expect(standOnBed(positions)).toEqual([10, 20, 5])
    expect([...positions]).toEqual([-5, -10, 0, 5, -10, 0, -5, 10, 5])
  })
})

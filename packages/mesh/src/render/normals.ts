import type { Scene } from './scene.ts'

/** Smooth corner normals, computed when a triangle is first seen: most of a large mesh is hidden. */
export type SmoothNormals = {
  /** Offset into `values` of the nine floats (three unit normals) of a triangle. */
  offsetOf(triangle: number): number
  values(): Float32Array
  /** Normal of each triangle by its winding; its length is twice the area. */
  faces: Float32Array
}

/** Surfaces that meet at a smaller angle are taken for one curved surface. */
const CREASE_COS = Math.cos((32 * Math.PI) / 180)
/** The tip of a fan with a million triangles must not cost a million steps for each of them. */
const MAX_NEIGHBOURS = 128

/**
 * A corner's normal is the sum of the faces round its vertex that meet this face within the crease angle,
 * weighted by area: a large flat face keeps its flatness next to a narrow fillet.
 */
export function createSmoothNormals(scene: Scene): SmoothNormals {
  const { corners, triangleCount } = scene
  const faces = computeFaceNormals(scene)
  const { starts, around } = listFacesAround(scene)
  const offsets = new Int32Array(triangleCount)
  let values = new Float32Array(9 * 4096)
  let used = 0

  function offsetOf(triangle: number): number {
    const known = offsets[triangle]!
    if (known > 0) return known - 1
    if (used + 9 > values.length) {
      const grown = new Float32Array(2 * values.length)
      grown.set(values)
      values = grown
    }
    const offset = used
    offsets[triangle] = offset + 1
    used += 9
    for (let i = 0; i < 3; i++) smoothCorner(triangle, corners[3 * triangle + i]!, offset + 3 * i)
    return offset
  }

  function smoothCorner(triangle: number, vertex: number, at: number) {
    const fx = faces[3 * triangle]!
    const fy = faces[3 * triangle + 1]!
    const fz = faces[3 * triangle + 2]!
    const length = Math.hypot(fx, fy, fz)
    let [x, y, z] = [fx, fy, fz]
    const end = starts[vertex + 1]!
    const start = starts[vertex]!
    if (end - start <= MAX_NEIGHBOURS) {
      for (let i = start; i < end; i++) {
        const other = around[i]!
        if (other === triangle) continue
        const ox = faces[3 * other]!
        const oy = faces[3 * other + 1]!
        const oz = faces[3 * other + 2]!
        const cos = fx * ox + fy * oy + fz * oz
        if (cos < CREASE_COS * length * Math.hypot(ox, oy, oz)) continue
        x += ox
        y += oy
        z += oz
      }
    }
    const scale = 1 / (Math.hypot(x, y, z) || 1)
    values[at] = x * scale
    values[at + 1] = y * scale
    values[at + 2] = z * scale
  }

  return { offsetOf, values: () => values, faces }
}

function computeFaceNormals({ vertices, corners }: Scene): Float32Array {
  const faces = new Float32Array(corners.length)
  for (let i = 0; i < corners.length; i += 3) {
    const a = 3 * corners[i]!
    const b = 3 * corners[i + 1]!
    const c = 3 * corners[i + 2]!
    const ux = vertices[b]! - vertices[a]!
    const uy = vertices[b + 1]! - vertices[a + 1]!
    const uz = vertices[b + 2]! - vertices[a + 2]!
    const vx = vertices[c]! - vertices[a]!
    const vy = vertices[c + 1]! - vertices[a + 1]!
    const vz = vertices[c + 2]! - vertices[a + 2]!
    faces[i] = uy * vz - uz * vy
    faces[i + 1] = uz * vx - ux * vz
    faces[i + 2] = ux * vy - uy * vx
  }
  return faces
}

/** The triangles round each vertex, as one list with a start per vertex. */
function listFacesAround({ corners, vertexCount }: Scene) {
  const starts = new Int32Array(vertexCount + 1)
  for (let i = 0; i < corners.length; i++) starts[corners[i]! + 1]!++
  for (let v = 0; v < vertexCount; v++) starts[v + 1]! += starts[v]!
  const next = starts.slice(0, vertexCount)
  const around = new Int32Array(corners.length)
  for (let i = 0; i < corners.length; i++) around[next[corners[i]!]!++] = Math.floor(i / 3)
  return { starts, around }
}

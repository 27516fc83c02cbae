import type { Scene } from './scene.ts'

/**
 * The point where a ray meets the part. All three vectors are in scene space and are overwritten in place.
 */
export type SurfacePoint = {
  p: Float64Array
  /** Unit normal of the triangle, facing the camera. */
  face: Float64Array
  /** The normal at this point after smoothing across edges with small angles. */
  normal: Float64Array
}

export type Normals = {
  /** Fills in `face` and `normal` for the point `p`, where a ray meets a triangle. */
  find(triangle: number, ray: Float64Array, point: SurfacePoint): void
}

/** Cosine of the largest angle at which two neighboring surfaces are shaded as one curved surface. */
const CREASE_COS = Math.cos((32 * Math.PI) / 180)
/**
 * Maximum number of neighbors that are considered. Without it, each triangle in a fan of a million triangles would need
 * a million steps.
 */
const MAX_NEIGHBOURS = 128

/** Creates smoothed normals if triangles share their vertices, otherwise uses each triangle's own normal. */
export function createNormals({ vertices, corners }: Scene): Normals {
  return corners ? createSmoothNormals(vertices, corners) : createFlatNormals(vertices)
}

function createFlatNormals(vertices: Float32Array): Normals {
  const f = new Float64Array(3)
  return {
    find(triangle, ray, { face, normal }) {
      const a = 9 * triangle
      writeFaceNormal(vertices, a, a + 3, a + 6, f, 0)
      const scale = sideOf(f, 0, ray) / Math.sqrt(f[0]! * f[0]! + f[1]! * f[1]! + f[2]! * f[2]! || 1)
      for (let i = 0; i < 3; i++) face[i] = normal[i] = f[i]! * scale
    },
  }
}

/**
 * Creates smoothed normals. At each corner of a face, the normals of all faces around the vertex are added up if they
 * meet this face within the crease angle. Larger faces have more weight, so that a large flat face stays flat next to a
 * narrow fillet. Normals are calculated when a triangle is first seen, because most of a large mesh is hidden.
 */
function createSmoothNormals(vertices: Float32Array, corners: Int32Array): Normals {
  const faces = computeFaceNormals(vertices, corners)
  const { starts, around } = listFacesAround({ vertices, corners })
  /**
   * For each triangle, the index of its nine floats in `values`, plus one. 0 means that its normals are not calculated
   * yet.
   */
  const offsets = new Int32Array(corners.length / 3)
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

  return {
    find(triangle, ray, { p, face, normal }) {
      const at = 3 * triangle
      const a = 3 * corners[at]!
      const b = 3 * corners[at + 1]!
      const c = 3 * corners[at + 2]!
      const squared = faces[at]! ** 2 + faces[at + 1]! ** 2 + faces[at + 2]! ** 2 || 1
      // The barycentric coordinates of p. They follow from the areas of the two triangles that p forms with the edges
      // ac and ab.
      const shareB = -areaShare(vertices, a, c, p, faces, at) / squared
      const shareC = areaShare(vertices, a, b, p, faces, at) / squared
      const wb = Math.min(1, Math.max(0, shareB))
      const wc = Math.min(1 - wb, Math.max(0, shareC))
      const wa = 1 - wb - wc
      const offset = offsetOf(triangle)
      const x = wa * values[offset]! + wb * values[offset + 3]! + wc * values[offset + 6]!
      const y = wa * values[offset + 1]! + wb * values[offset + 4]! + wc * values[offset + 7]!
      const z = wa * values[offset + 2]! + wb * values[offset + 5]! + wc * values[offset + 8]!
      const side = sideOf(faces, at, ray)
      const faceScale = side / Math.sqrt(squared)
      for (let i = 0; i < 3; i++) face[i] = faces[at + i]! * faceScale
      const scale = side / (Math.sqrt(x * x + y * y + z * z) || 1)
      normal[0] = x * scale
      normal[1] = y * scale
      normal[2] = z * scale
    },
  }
}

/**
 * Returns the factor that turns the normal at `at` toward the camera: −1 if it points away from the camera, otherwise
 * 1.
 */
function sideOf(normals: Float32Array | Float64Array, at: number, ray: Float64Array): number {
  return normals[at]! * ray[0]! + normals[at + 1]! * ray[1]! + normals[at + 2]! * ray[2]! > 0 ? -1 : 1
}

/** Returns ((to − from) × (p − from)) · f, where `f` has the three components from index `at` on. */
function areaShare(
  vertices: Float32Array,
  from: number,
  to: number,
  p: Float64Array,
  f: Float32Array,
  at: number,
): number {
  const ux = vertices[to]! - vertices[from]!
  const uy = vertices[to + 1]! - vertices[from + 1]!
  const uz = vertices[to + 2]! - vertices[from + 2]!
  const vx = p[0]! - vertices[from]!
  const vy = p[1]! - vertices[from + 1]!
  const vz = p[2]! - vertices[from + 2]!
  return (uy * vz - uz * vy) * f[at]! + (uz * vx - ux * vz) * f[at + 1]! + (ux * vy - uy * vx) * f[at + 2]!
}

/** Calculates the normal of each triangle from its winding. The length of the normal is twice the area. */
function computeFaceNormals(vertices: Float32Array, corners: Int32Array): Float32Array {
  const faces = new Float32Array(corners.length)
  for (let i = 0; i < corners.length; i += 3)
    writeFaceNormal(vertices, 3 * corners[i]!, 3 * corners[i + 1]!, 3 * corners[i + 2]!, faces, i)
  return faces
}

/**
 * Writes the normal of one triangle. `a`, `b` and `c` are the indices of its corners in `vertices`; `at` is the index
 * of the normal.
 */
function writeFaceNormal(
  vertices: Float32Array,
  a: number,
  b: number,
  c: number,
  into: Float32Array | Float64Array,
  at: number,
) {
  const ux = vertices[b]! - vertices[a]!
  const uy = vertices[b + 1]! - vertices[a + 1]!
  const uz = vertices[b + 2]! - vertices[a + 2]!
  const vx = vertices[c]! - vertices[a]!
  const vy = vertices[c + 1]! - vertices[a + 1]!
  const vz = vertices[c + 2]! - vertices[a + 2]!
  into[at] = uy * vz - uz * vy
  into[at + 1] = uz * vx - ux * vz
  into[at + 2] = ux * vy - uy * vx
}

/** Lists the triangles around each vertex, in one list with a start for each vertex. */
function listFacesAround({ vertices, corners }: { vertices: Float32Array; corners: Int32Array }) {
  const vertexCount = vertices.length / 3
  const starts = new Int32Array(vertexCount + 1)
  for (let i = 0; i < corners.length; i++) starts[corners[i]! + 1]!++
  for (let v = 0; v < vertexCount; v++) starts[v + 1]! += starts[v]!
  const next = starts.slice(0, vertexCount)
  const around = new Int32Array(corners.length)
  for (let i = 0; i < corners.length; i++) around[next[corners[i]!]!++] = Math.floor(i / 3)
  return { starts, around }
}

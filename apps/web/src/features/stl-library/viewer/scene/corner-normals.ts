/**
 * Constants for hashing corners, which are 32-bit floats. Two corners are the same vertex if their bits are equal; -0
 * is read as 0.
 */
const HASH_1 = 0x9e3779b1
const HASH_2 = 0x85ebca6b
const HASH_3 = 0xc2b2ae35

/**
 * If more faces than this meet at one vertex, as in a crafted fan, each face keeps its own normal, so that
 * the computing time stays linear.
 */
const MAX_FACES_PER_VERTEX = 96

/** Numbers the distinct vertices in order of first use. Returns one id per corner. */
function weldCorners(positions: Float32Array): { ids: Uint32Array; vertexCount: number } {
  const corners = positions.length / 3
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length)
  let capacity = 1024
  while (capacity < corners) capacity *= 2
  const table = new Int32Array(capacity).fill(-1)
  const mask = capacity - 1
  const ids = new Uint32Array(corners)
  const firstCorner = new Uint32Array(corners)
  let vertexCount = 0
  for (let corner = 0; corner < corners; corner++) {
    const at = corner * 3
    const x = bits[at] as number
    const y = bits[at + 1] as number
    const z = bits[at + 2] as number
    let hash = Math.imul(x, HASH_1) ^ Math.imul(y, HASH_2) ^ Math.imul(z, HASH_3)
    hash = Math.imul(hash ^ (hash >>> 15), HASH_2)
    let slot = (hash ^ (hash >>> 13)) & mask
    for (;;) {
      const vertex = table[slot] as number
      if (vertex === -1) {
        table[slot] = vertexCount
        firstCorner[vertexCount] = at
        ids[corner] = vertexCount++
        break
      }
      const first = firstCorner[vertex] as number
      if (bits[first] === x && bits[first + 1] === y && bits[first + 2] === z) {
        ids[corner] = vertex
        break
      }
      slot = (slot + 1) & mask
    }
  }
  return { ids, vertexCount }
}

/** Returns the normal of each face. Its length is twice the area of the face, so that larger faces weigh more. */
function faceNormals(positions: Float32Array): Float32Array {
  const normals = new Float32Array(positions.length / 3)
  for (let face = 0; face * 9 < positions.length; face++) {
    const p = face * 9
    const [ax, ay, az] = [positions[p] as number, positions[p + 1] as number, positions[p + 2] as number]
    const ux = (positions[p + 3] as number) - ax
    const uy = (positions[p + 4] as number) - ay
    const uz = (positions[p + 5] as number) - az
    const vx = (positions[p + 6] as number) - ax
    const vy = (positions[p + 7] as number) - ay
    const vz = (positions[p + 8] as number) - az
    normals[face * 3] = uy * vz - uz * vy
    normals[face * 3 + 1] = uz * vx - ux * vz
    normals[face * 3 + 2] = ux * vy - uy * vx
  }
  return normals
}

/** Lists the faces that meet at each vertex. The faces of vertex v are `faces[start[v]] … faces[start[v + 1] - 1]`. */
function facesByVertex(ids: Uint32Array, vertexCount: number) {
  const start = new Uint32Array(vertexCount + 1)
  for (const id of ids) start[id + 1] = (start[id + 1] as number) + 1
  for (let vertex = 0; vertex < vertexCount; vertex++)
    start[vertex + 1] = (start[vertex + 1] as number) + (start[vertex] as number)
  const next = start.slice(0, vertexCount)
  const faces = new Uint32Array(ids.length)
  for (let corner = 0; corner < ids.length; corner++) {
    const vertex = ids[corner] as number
    const at = next[vertex] as number
    faces[at] = Math.floor(corner / 3)
    next[vertex] = at + 1
  }
  return { start, faces }
}

/**
 * Returns shading normals, three per triangle, as 16-bit fractions. Faces that meet at less than `creaseDegrees` share
 * the average of their normals. At a sharper edge, each face keeps its own normal. `positions` has nine numbers per
 * triangle.
 */
export function cornerNormals(positions: Float32Array, creaseDegrees: number): Int16Array {
  // Adding 0 turns -0 into 0. Otherwise, the same point would have two bit patterns, and a seam would be
  // visible.
  for (let i = 0; i < positions.length; i++) positions[i] = (positions[i] as number) + 0
  const { ids, vertexCount } = weldCorners(positions)
  const raw = faceNormals(positions)
  const { start, faces } = facesByVertex(ids, vertexCount)
  const lengths = new Float32Array(raw.length / 3)
  for (let face = 0; face < lengths.length; face++)
    lengths[face] = Math.hypot(
      raw[face * 3] as number,
      raw[face * 3 + 1] as number,
      raw[face * 3 + 2] as number,
    )
  const cosCrease = Math.cos((creaseDegrees * Math.PI) / 180)
  const normals = new Int16Array(positions.length)

  for (let corner = 0; corner < ids.length; corner++) {
    const face = Math.floor(corner / 3)
    const nx = raw[face * 3] as number
    const ny = raw[face * 3 + 1] as number
    const nz = raw[face * 3 + 2] as number
    const limit = cosCrease * (lengths[face] as number)
    const from = start[ids[corner] as number] as number
    const to = start[(ids[corner] as number) + 1] as number
    let [sx, sy, sz] = [nx, ny, nz]
    if (to - from <= MAX_FACES_PER_VERTEX) {
      for (let i = from; i < to; i++) {
        const other = faces[i] as number
        if (other === face) continue
        const ox = raw[other * 3] as number
        const oy = raw[other * 3 + 1] as number
        const oz = raw[other * 3 + 2] as number
        const length = lengths[other] as number
        if (length > 0 && nx * ox + ny * oy + nz * oz >= limit * length) {
          sx += ox
          sy += oy
          sz += oz
        }
      }
    }
    const scale = 32767 / (Math.hypot(sx, sy, sz) || 1)
    normals[corner * 3] = Math.round(sx * scale)
    normals[corner * 3 + 1] = Math.round(sy * scale)
    normals[corner * 3 + 2] = Math.round(sz * scale)
  }
  return normals
}

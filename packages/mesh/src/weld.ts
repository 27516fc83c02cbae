/** Corners that lie on exactly the same point share a vertex number. */
export type Weld = {
  /** Vertex number of each corner, three per triangle, numbered in order of first appearance. */
  ids: Int32Array<ArrayBuffer>
  vertexCount: number
  /** x, y, z of each vertex. */
  points: Float32Array<ArrayBuffer>
}

/** A run this long means that the hash is unlucky or the input crafted against it: take another hash. */
const MAX_PROBES = 1024
const MAX_RETRIES = 8
const NEGATIVE_ZERO = -0x80000000

/**
 * Welds corners with exactly equal coordinates (−0 equals 0). `positions`: nine floats per triangle.
 *
 * Open addressing over the bit patterns. The factors of the hash are random, so that nobody can prepare a file
 * whose vertices all collide; a run that is too long all the same draws new ones. The result does not depend on
 * them. Files mostly list triangles next to each other, so the corners of the one before are tried first.
 */
export function weldVertices(positions: Float32Array): Weld {
  const cornerCount = Math.floor(positions.length / 9) * 3
  const bits = new Int32Array(positions.buffer, positions.byteOffset, positions.length)
  const ids = new Int32Array(cornerCount)
  // A closed mesh has half as many vertices as triangles; the table doubles when a soup has more.
  const table = createTable(cornerCount / 3)
  for (let corner = 0; corner < cornerCount; corner++) {
    const x = withoutSign(bits[3 * corner]!)
    const y = withoutSign(bits[3 * corner + 1]!)
    const z = withoutSign(bits[3 * corner + 2]!)
    const near = corner >= 4 ? findAmongLast(table, ids, corner, x, y, z) : -1
    ids[corner] = near >= 0 ? near : findOrAdd(table, x, y, z)
  }
  return { ids, vertexCount: table.count, points: new Float32Array(table.points.buffer, 0, 3 * table.count) }
}

/** `slots` holds vertex number + 1, or 0; `points` the bits of three coordinates per vertex. */
type Table = {
  slots: Int32Array<ArrayBuffer>
  points: Int32Array<ArrayBuffer>
  count: number
  retries: number
  a: number
  b: number
  c: number
}

function createTable(expected: number): Table {
  const size = 2 ** Math.ceil(Math.log2(Math.max(64, 0.8 * expected)))
  const points = new Int32Array(3 * Math.ceil(Math.max(16, 0.55 * expected)))
  return { slots: new Int32Array(size), points, count: 0, retries: 0, ...drawFactors() }
}

function drawFactors() {
  const randomOdd = () => (Math.random() * 0x1_0000_0000) | 1
  return { a: randomOdd(), b: randomOdd(), c: randomOdd() }
}

/** −0 and 0 are the same place. */
function withoutSign(word: number): number {
  return word === NEGATIVE_ZERO ? 0 : word
}

/** The vertex at x, y, z if one of the four corners before is there; −1 otherwise. */
function findAmongLast(
  table: Table,
  ids: Int32Array,
  corner: number,
  x: number,
  y: number,
  z: number,
): number {
  const { points } = table
  for (let before = corner - 4; before < corner; before++) {
    const id = ids[before]!
    if (points[3 * id] === x && points[3 * id + 1] === y && points[3 * id + 2] === z) return id
  }
  return -1
}

function findOrAdd(table: Table, x: number, y: number, z: number): number {
  const { points, slots } = table
  const mask = slots.length - 1
  let slot = hashPoint(table, x, y, z) & mask
  let probes = 0
  for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
    const id = entry - 1
    if (points[3 * id] === x && points[3 * id + 1] === y && points[3 * id + 2] === z) return id
    slot = (slot + 1) & mask
    if (++probes === MAX_PROBES && table.retries < MAX_RETRIES) {
      table.retries++
      rebuild(table, slots.length)
      return findOrAdd(table, x, y, z)
    }
  }
  const id = table.count++
  slots[slot] = id + 1
  if (3 * id === points.length) growPoints(table)
  table.points[3 * id] = x
  table.points[3 * id + 1] = y
  table.points[3 * id + 2] = z
  if (3 * table.count > 2 * slots.length) rebuild(table, 2 * slots.length)
  return id
}

function growPoints(table: Table) {
  const grown = new Int32Array(2 * table.points.length)
  grown.set(table.points)
  table.points = grown
}

function rebuild(table: Table, size: number) {
  Object.assign(table, drawFactors())
  table.slots = new Int32Array(size)
  const { slots, points } = table
  for (let id = 0; id < table.count; id++) {
    let slot = hashPoint(table, points[3 * id]!, points[3 * id + 1]!, points[3 * id + 2]!) & (size - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1)
    slots[slot] = id + 1
  }
}

/** Round numbers leave the low half of a float's bits empty, hence the shifts before the multiplications. */
function hashPoint(table: Table, x: number, y: number, z: number): number {
  let hash = Math.imul(x ^ (x >>> 15), table.a)
  hash = Math.imul(hash ^ (hash >>> 16) ^ y ^ (y >>> 15), table.b)
  hash = Math.imul(hash ^ (hash >>> 16) ^ z ^ (z >>> 15), table.c)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

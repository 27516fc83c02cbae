import type { TriangleSink } from '../types.ts'

/** The result of welding: corners at exactly the same point share a vertex number. */
export type Weld = {
  /**
   * Vertex number of each corner, three per triangle. The vertices are numbered in the order of their first
   * appearance.
   */
  ids: Int32Array<ArrayBuffer>
  vertexCount: number
  /** The coordinates x, y, z of each vertex. */
  points: Float32Array<ArrayBuffer>
}

/** Welds triangles as they are read, so that they need not be kept. */
type Welder = {
  /** Adds `count` triangles of nine finite floats each. */
  sink: TriangleSink
  /** Returns the result. Must be called only once. The returned arrays belong to the caller. */
  finish(): Weld
}

/**
 * Number of corners that are looked up together. It is large enough to overlap many cache misses, and small enough for
 * the cache.
 */
const BATCH_CORNERS = 512
/** Programs write neighboring triangles in sequence, so most corners equal one of this many previous corners. */
const NEAR_CORNERS = 6
/**
 * After this many used slots in a row, the hash is unlucky or the input is crafted, so another hash is used.
 */
const MAX_PROBES = 1024
const MAX_RETRIES = 8
const NEGATIVE_ZERO = -0x80000000

/** Welds corners with exactly equal coordinates (−0 equals 0). `positions` has nine finite floats per triangle. */
export function weldVertices(positions: Float32Array): Weld {
  const triangles = Math.floor(positions.length / 9)
  const welder = createWelder(triangles)
  welder.sink(positions, triangles)
  return welder.finish()
}

/**
 * Welds corners with exactly equal coordinates (−0 equals 0). `triangles` is the expected number of
 * triangles; a correct number saves time and memory. Uses open addressing over the bit patterns. The factors
 * of the hash are random, and change after a long run of collisions, so that nobody can prepare a file whose
 * vertices all collide. The result does not depend on them. Most of the time is spent waiting for slots that
 * are not in the processor's cache, so nearby corners are compared first, and the slots of the other corners
 * are prefetched in batches.
 */
export function createWelder(triangles: number): Welder {
  const table = createTable(triangles)
  const batch = createBatch()
  let ids = new Int32Array(3 * triangles)
  let cornerCount = 0
  return {
    sink(block, count) {
      const words = new Int32Array(block.buffer, block.byteOffset, 9 * count)
      const end = cornerCount + 3 * count
      if (end > ids.length) ids = lengthened(ids, end)
      for (let corner = 0; corner < 3 * count; corner += BATCH_CORNERS) {
        const inBatch = Math.min(BATCH_CORNERS, 3 * count - corner)
        weldBatch(table, batch, words, corner, ids.subarray(cornerCount, cornerCount + inBatch))
        cornerCount += inBatch
      }
    },
    finish: () => ({
      ids: cornerCount < ids.length ? ids.slice(0, cornerCount) : ids,
      vertexCount: table.count,
      points: new Float32Array(table.points.buffer, 0, 3 * table.count),
    }),
  }
}

/**
 * The current batch. At first, the number of a corner that equals a nearby corner is the negative distance to that
 * corner.
 */
type Batch = {
  /** The corners to look up, and the hash of each. */
  asked: Int32Array<ArrayBuffer>
  hashes: Int32Array<ArrayBuffer>
  fetched: Int32Array<ArrayBuffer>
  /**
   * The next expected vertex. A row of triangles next to an earlier row uses the vertices of that row in the
   * same order.
   */
  expected: number
}

function createBatch(): Batch {
  const [asked, hashes, fetched] = Array.from({ length: 3 }, () => new Int32Array(BATCH_CORNERS))
  return { asked: asked!, hashes: hashes!, fetched: fetched!, expected: 0 }
}

/**
 * Numbers the corners in `words` from `first` on. The number of corners is that of the entries in `ids`, and
 * at most a batch.
 */
function weldBatch(table: Table, batch: Batch, words: Int32Array, first: number, ids: Int32Array) {
  reserve(table, ids.length)
  const { asked, hashes } = batch
  const known = table.count
  const askedCount = guess(table, batch, words, first, ids)
  fetchSlots(table, batch, words, first, askedCount)
  for (let i = 0; i < askedCount; i++) {
    const id = findOrAdd(table, words, 3 * (first + asked[i]!), hashes[i]!)
    ids[asked[i]!] = id
    if (id < known) batch.expected = id + 1
  }
  for (let i = 0; i < ids.length; i++) if (ids[i]! < 0) ids[i] = ids[i + ids[i]!]!
}

/**
 * Numbers corners that equal a nearby corner or the expected vertex, and lists the others in `asked`. Returns
 * the number of corners in that list.
 */
function guess(table: Table, batch: Batch, words: Int32Array, first: number, ids: Int32Array): number {
  const { points } = table
  const { asked } = batch
  let { expected } = batch
  let askedCount = 0
  for (let i = 0; i < ids.length; i++) {
    const at = 3 * (first + i)
    const x = words[at]!
    const y = words[at + 1]!
    const z = words[at + 2]!
    const furthest = at - 3 * Math.min(i, NEAR_CORNERS)
    let near = at - 3
    while (near >= furthest && (words[near] !== x || words[near + 1] !== y || words[near + 2] !== z))
      near -= 3
    const next = 3 * expected
    if (near >= furthest) {
      ids[i] = (near - at) / 3
    } else if (
      expected < table.count &&
      points[next] === x &&
      points[next + 1] === y &&
      points[next + 2] === z
    ) {
      ids[i] = expected++
    } else {
      asked[askedCount++] = i
    }
  }
  batch.expected = expected
  return askedCount
}

/**
 * Loads the slots of a batch, and the points of their entries, into the cache. The loops are separate, so no
 * load has to wait for the previous load. The values are not needed, but they are kept because the engine
 * would otherwise remove the loops.
 */
function fetchSlots(
  table: Table,
  { asked, hashes, fetched }: Batch,
  words: Int32Array,
  first: number,
  count: number,
) {
  const { points, slots } = table
  const mask = slots.length - 1
  for (let i = 0; i < count; i++) {
    const at = 3 * (first + asked[i]!)
    hashes[i] = hashPoint(
      table,
      withoutSign(words[at]!),
      withoutSign(words[at + 1]!),
      withoutSign(words[at + 2]!),
    )
  }
  for (let i = 0; i < count; i++) fetched[i] = slots[hashes[i]! & mask]!
  for (let i = 0; i < count; i++) fetched[i] = points[3 * (fetched[i]! & mask)]!
}

/**
 * The hash table with open addressing. A slot is 0, or contains a vertex number + 1 in its low bits. There
 * are as many low bits as a slot number has, which is enough because there are always more slots than
 * vertices. The higher bits are bits of the hash, so that few points are compared unnecessarily.
 */
type Table = {
  slots: Int32Array<ArrayBuffer>
  /** The bits of three coordinates for each vertex. */
  points: Int32Array<ArrayBuffer>
  count: number
  isUnlucky: boolean
  retries: number
  a: number
  b: number
  c: number
}

function createTable(triangles: number): Table {
  // A closed mesh has half as many vertices as triangles. The table doubles if unconnected triangles have
  // more vertices.
  const size = 2 ** Math.ceil(Math.log2(Math.max(64, 0.8 * triangles)))
  const points = new Int32Array(3 * Math.ceil(Math.max(16, 0.55 * triangles)))
  return { slots: new Int32Array(size), points, count: 0, isUnlucky: false, retries: 0, ...drawFactors() }
}

function drawFactors() {
  const randomOdd = () => (Math.random() * 0x1_0000_0000) | 1
  return { a: randomOdd(), b: randomOdd(), c: randomOdd() }
}

/** Allocates space for this many more vertices in advance, so that the arrays are not replaced during a batch. */
function reserve(table: Table, more: number) {
  const wanted = table.count + more
  if (3 * wanted > table.points.length) table.points = lengthened(table.points, 3 * wanted)
  let size = table.slots.length
  while (3 * wanted > 2 * size) size *= 2
  if (size > table.slots.length || table.isUnlucky) rebuild(table, size)
}

/** Returns a copy that is at least twice as long, so that growing in steps takes no more time than growing once. */
function lengthened(values: Int32Array<ArrayBuffer>, atLeast: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(atLeast, 2 * values.length))
  longer.set(values)
  return longer
}

function rebuild(table: Table, size: number) {
  Object.assign(table, drawFactors(), { slots: new Int32Array(size), isUnlucky: false })
  const { slots, points } = table
  const mask = size - 1
  for (let id = 0; id < table.count; id++) {
    const hash = hashPoint(table, points[3 * id]!, points[3 * id + 1]!, points[3 * id + 2]!)
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = (hash & ~mask) | (id + 1)
  }
}

/** Returns the number of the vertex with the coordinates at `at` in `words`. Adds the vertex if it is new. */
function findOrAdd(table: Table, words: Int32Array, at: number, hash: number): number {
  const { points, slots } = table
  const x = withoutSign(words[at]!)
  const y = withoutSign(words[at + 1]!)
  const z = withoutSign(words[at + 2]!)
  const mask = slots.length - 1
  let slot = hash & mask
  let probes = 0
  for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
    if (((entry ^ hash) & ~mask) === 0) {
      const id = (entry & mask) - 1
      if (points[3 * id] === x && points[3 * id + 1] === y && points[3 * id + 2] === z) return id
    }
    slot = (slot + 1) & mask
    probes++
  }
  if (probes > MAX_PROBES && table.retries < MAX_RETRIES) {
    table.retries++
    table.isUnlucky = true
  }
  const id = table.count++
  slots[slot] = (hash & ~mask) | (id + 1)
  points[3 * id] = x
  points[3 * id + 1] = y
  points[3 * id + 2] = z
  return id
}

/** Converts −0 to 0, because they are equal. */
function withoutSign(word: number): number {
  return word === NEGATIVE_ZERO ? 0 : word
}

/**
 * Hashes a point. The low half of a float's bits is zero for round numbers, so the bits are shifted before the
 * multiplications.
 */
function hashPoint({ a, b, c }: Table, x: number, y: number, z: number): number {
  let hash = Math.imul(x ^ (x >>> 15), a)
  hash = Math.imul(hash ^ (hash >>> 16) ^ y ^ (y >>> 15), b)
  hash = Math.imul(hash ^ (hash >>> 16) ^ z ^ (z >>> 15), c)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

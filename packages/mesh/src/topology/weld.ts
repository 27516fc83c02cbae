import type { TriangleSink } from '../types.ts'

/** The result of welding, in which all corners at exactly the same point have the same vertex number. */
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

/** Welds triangles while they are read, so that the triangles themselves need not be kept in memory. */
type Welder = {
  /** Adds `count` triangles of nine finite floats each. */
  sink: TriangleSink
  /** Returns the result. Must be called only once. The returned arrays belong to the caller. */
  finish(): Weld
}

/**
 * Number of corners that are looked up together. Their memory accesses overlap, and their data fit into the processor's
 * cache.
 */
const BATCH_CORNERS = 512
/**
 * Programs write neighboring triangles one after the other, so most corners equal one of this many corners before them.
 */
const NEAR_CORNERS = 6
/**
 * If a search passes this many used slots, the hash is unlucky or somebody has crafted the file, so a new hash is
 * chosen.
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
 * Creates a welder for corners with exactly equal coordinates (−0 equals 0). `triangles` is the expected number of
 * triangles; a correct number saves time and memory. The vertices are in a hash table with open addressing. The factors
 * of its hash are random, and change after a long run of collisions, so that nobody can prepare a file whose vertices
 * all collide. The result does not depend on them. Reading slots that are not in the processor's cache takes most of
 * the time. Nearby corners are therefore compared first, and the slots of all other corners are loaded in batches.
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
 * The corners that are looked up together. A corner that equals a nearby corner first gets the negative distance to
 * that corner as its number.
 */
type Batch = {
  /** Indices of the corners that have to be looked up in the table. `hashes` contains the hash of each. */
  asked: Int32Array<ArrayBuffer>
  hashes: Int32Array<ArrayBuffer>
  fetched: Int32Array<ArrayBuffer>
  /**
   * The vertex that the next corner probably uses. A row of triangles next to an earlier row uses the same vertices in
   * the same order.
   */
  expected: number
}

function createBatch(): Batch {
  const [asked, hashes, fetched] = Array.from({ length: 3 }, () => new Int32Array(BATCH_CORNERS))
  return { asked: asked!, hashes: hashes!, fetched: fetched!, expected: 0 }
}

/**
 * Finds the vertex numbers of corners and writes them to `ids`. The corners begin at index `first` in `words`. There
 * are as many as `ids` has entries, and at most a batch.
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
 * Finds the numbers of corners that equal a nearby corner or the expected vertex. Lists all other corners in `asked`,
 * and returns how many these are.
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
 * Loads the slots of a batch, and the points of their vertices, into the processor's cache. There is one loop for each
 * step, so that no load has to wait for another. The loaded values are stored, although they are not needed, because
 * the engine would otherwise remove the loops.
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
 * A hash table with open addressing. A slot is 0 if it is free. Otherwise, its low bits contain a vertex number plus 1,
 * and its high bits are those of the hash. Comparing these first avoids most unnecessary comparisons of points. The low
 * bits are as many as a slot index has, which is enough because there are always more slots than vertices.
 */
type Table = {
  slots: Int32Array<ArrayBuffer>
  /** The coordinates x, y, z of each vertex, as the bits of three float32. */
  points: Int32Array<ArrayBuffer>
  count: number
  isUnlucky: boolean
  retries: number
  a: number
  b: number
  c: number
}

function createTable(triangles: number): Table {
  // A closed mesh has half as many vertices as triangles. If unconnected triangles have more, the table grows later.
  const size = 2 ** Math.ceil(Math.log2(Math.max(64, 0.8 * triangles)))
  const points = new Int32Array(3 * Math.ceil(Math.max(16, 0.55 * triangles)))
  return { slots: new Int32Array(size), points, count: 0, isUnlucky: false, retries: 0, ...drawFactors() }
}

function drawFactors() {
  const randomOdd = () => (Math.random() * 0x1_0000_0000) | 1
  return { a: randomOdd(), b: randomOdd(), c: randomOdd() }
}

/** Makes space for `more` vertices, so that the arrays are not replaced during a batch. */
function reserve(table: Table, more: number) {
  const wanted = table.count + more
  if (3 * wanted > table.points.length) table.points = lengthened(table.points, 3 * wanted)
  let size = table.slots.length
  while (3 * wanted > 2 * size) size *= 2
  if (size > table.slots.length || table.isUnlucky) rebuild(table, size)
}

/** Returns a copy that has at least twice the length. Doubling keeps the total time for copying small. */
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
 * Hashes a point. The low bits of the float32 of a round number are zero, so each coordinate is mixed with its own high
 * bits before it is multiplied.
 */
function hashPoint({ a, b, c }: Table, x: number, y: number, z: number): number {
  let hash = Math.imul(x ^ (x >>> 15), a)
  hash = Math.imul(hash ^ (hash >>> 16) ^ y ^ (y >>> 15), b)
  hash = Math.imul(hash ^ (hash >>> 16) ^ z ^ (z >>> 15), c)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

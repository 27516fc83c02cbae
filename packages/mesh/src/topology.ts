import type { Weld } from './weld.ts'

export type Topology = {
  openEdges: number
  nonManifoldEdges: number
  windingErrors: number
  degenerateTriangles: number
  duplicateTriangles: number
  shells: number
}

/** Lists up to this length are sorted in place; longer ones (fans) by the engine, so no input makes it quadratic. */
const INSERTION_SORT_LIMIT = 32

/**
 * How the triangles of a welded mesh hang together. A degenerate triangle repeats a vertex; it has no edges and
 * duplicates nothing. An open edge belongs to one triangle, a non-manifold one to more than two; a winding error
 * is an edge that its two triangles walk in the same direction. Shells are connected through shared vertices.
 *
 * Edges are collected in a list per lower vertex number and each list is sorted: O(n log n) whatever the input.
 */
export function examineTopology(weld: Weld): Topology {
  const { ids, vertexCount } = weld
  const isDegenerate = findDegenerate(ids)
  const edges = countEdges(ids, vertexCount, isDegenerate)
  return {
    ...edges,
    degenerateTriangles: isDegenerate.reduce((sum, flag) => sum + flag, 0),
    duplicateTriangles: countDuplicates(ids, vertexCount, isDegenerate),
    shells: countShells(ids, vertexCount),
  }
}

function findDegenerate(ids: Int32Array): Uint8Array {
  const flags = new Uint8Array(ids.length / 3)
  for (let t = 0, corner = 0; t < flags.length; t++, corner += 3) {
    const a = ids[corner]!
    const b = ids[corner + 1]!
    const c = ids[corner + 2]!
    if (a === b || b === c || c === a) flags[t] = 1
  }
  return flags
}

function countEdges(ids: Int32Array, vertexCount: number, isDegenerate: Uint8Array) {
  const { starts, entries } = listEdges(ids, vertexCount, isDegenerate)
  const counts = { openEdges: 0, nonManifoldEdges: 0, windingErrors: 0 }
  for (let v = 0; v < vertexCount; v++) {
    const start = starts[v]!
    const end = starts[v + 1]!
    sortRange(entries, start, end)
    for (let at = start; at < end; ) {
      const high = entries[at]! >> 1
      let uses = 0
      let forward = 0
      for (; at < end && entries[at]! >> 1 === high; at++) {
        uses++
        forward += entries[at]! & 1
      }
      if (uses === 1) counts.openEdges++
      else if (uses > 2) counts.nonManifoldEdges++
      else if (forward !== 1) counts.windingErrors++
    }
  }
  return counts
}

/** Per lower vertex number, from `starts[v]` to `starts[v + 1]`: twice the higher one, plus 1 if walked upwards. */
function listEdges(ids: Int32Array, vertexCount: number, isDegenerate: Uint8Array) {
  // Counted two places on, so that filling leaves each start in its own place.
  const starts = new Int32Array(vertexCount + 2)
  for (let t = 0, corner = 0; t < isDegenerate.length; t++, corner += 3) {
    if (isDegenerate[t] === 1) continue
    const a = ids[corner]!
    const b = ids[corner + 1]!
    const c = ids[corner + 2]!
    starts[(a < b ? a : b) + 2]!++
    starts[(b < c ? b : c) + 2]!++
    starts[(c < a ? c : a) + 2]!++
  }
  for (let v = 1; v <= vertexCount; v++) starts[v + 1]! += starts[v]!
  const entries = new Int32Array(starts[vertexCount + 1]!)
  for (let t = 0, corner = 0; t < isDegenerate.length; t++, corner += 3) {
    if (isDegenerate[t] === 1) continue
    const a = ids[corner]!
    const b = ids[corner + 1]!
    const c = ids[corner + 2]!
    if (a < b) entries[starts[a + 1]!++] = 2 * b + 1
    else entries[starts[b + 1]!++] = 2 * a
    if (b < c) entries[starts[b + 1]!++] = 2 * c + 1
    else entries[starts[c + 1]!++] = 2 * b
    if (c < a) entries[starts[c + 1]!++] = 2 * a + 1
    else entries[starts[a + 1]!++] = 2 * c
  }
  return { starts, entries }
}

function sortRange(entries: Int32Array | Float64Array, start: number, end: number) {
  if (end - start > INSERTION_SORT_LIMIT) {
    entries.subarray(start, end).sort()
    return
  }
  for (let i = start + 1; i < end; i++) {
    const entry = entries[i]!
    let at = i - 1
    for (; at >= start && entries[at]! > entry; at--) entries[at + 1] = entries[at]!
    entries[at + 1] = entry
  }
}

/** Triangles over the same three vertices as an earlier one, whichever way round. */
function countDuplicates(ids: Int32Array, vertexCount: number, isDegenerate: Uint8Array): number {
  const starts = new Int32Array(vertexCount + 1)
  for (let t = 0; t < isDegenerate.length; t++) {
    if (isDegenerate[t] === 0) starts[Math.min(ids[3 * t]!, ids[3 * t + 1]!, ids[3 * t + 2]!) + 1]!++
  }
  for (let v = 0; v < vertexCount; v++) starts[v + 1]! += starts[v]!
  // The two other vertices as one number: exact in a double up to 2^26 vertices, a file of over 6 GB.
  const keys = new Float64Array(starts[vertexCount]!)
  const next = starts.slice(0, vertexCount)
  for (let t = 0; t < isDegenerate.length; t++) {
    if (isDegenerate[t] === 1) continue
    const a = ids[3 * t]!
    const b = ids[3 * t + 1]!
    const c = ids[3 * t + 2]!
    const low = Math.min(a, b, c)
    const high = Math.max(a, b, c)
    keys[next[low]!++] = (a + b + c - low - high) * vertexCount + high
  }
  let duplicates = 0
  for (let v = 0; v < vertexCount; v++) {
    const start = starts[v]!
    const end = starts[v + 1]!
    if (end - start < 2) continue
    sortRange(keys, start, end)
    for (let at = start + 1; at < end; at++) if (keys[at] === keys[at - 1]) duplicates++
  }
  return duplicates
}

/** Connected parts by union-find with path halving. */
function countShells(ids: Int32Array, vertexCount: number): number {
  const parents = new Int32Array(vertexCount)
  for (let v = 0; v < vertexCount; v++) parents[v] = v
  const findRoot = (vertex: number) => {
    let root = vertex
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!
    return root
  }
  let shells = vertexCount
  const join = (one: number, other: number) => {
    const a = findRoot(one)
    const b = findRoot(other)
    if (a === b) return
    // The lower number stays the root: files are mostly in order, so the trees stay flat.
    if (a < b) parents[b] = a
    else parents[a] = b
    shells--
  }
  for (let corner = 0; corner < ids.length; corner += 3) {
    join(ids[corner]!, ids[corner + 1]!)
    join(ids[corner]!, ids[corner + 2]!)
  }
  return shells
}

import type { Weld } from './weld.ts'

export type Topology = {
  openEdges: number
  nonManifoldEdges: number
  windingErrors: number
  degenerateTriangles: number
  duplicateTriangles: number
  shells: number
}

/**
 * Lists with at most this many entries are sorted by insertion. Longer lists, which belong to vertices of many
 * triangles, are sorted by the engine, so that no file takes quadratic time.
 */
const INSERTION_SORT_LIMIT = 32
/**
 * If at most this many triangles have the same lowest vertex, each is compared with all others. If there are more, they
 * are sorted.
 */
const PAIRWISE_LIMIT = 8

/**
 * Analyzes how the triangles of a welded mesh are connected. A degenerate triangle uses a vertex twice; its edges are
 * ignored, and it does not count as a duplicate. An open edge belongs to one triangle, and a non-manifold edge to more
 * than two. A winding error is an edge that both of its triangles traverse in the same direction. Shells are connected
 * through shared vertices. The edges are collected in one list for each vertex, and each list is sorted, which takes
 * O(n log n) for every mesh.
 */
export function analyzeTopology({ ids, vertexCount }: Weld): Topology {
  const { starts, degenerateTriangles } = measureLists(ids, vertexCount)
  const lists = fillLists(ids, starts)
  // Count duplicates first, because this needs the original order of the lists, which sorting destroys.
  const duplicateTriangles = countDuplicates(lists, vertexCount)
  return {
    ...countEdges(lists),
    degenerateTriangles,
    duplicateTriangles,
    shells: countShells(ids, vertexCount),
  }
}

/**
 * The edges of all triangles. `entries` contains a list for each vertex v, from `starts[v]` to `starts[v + 1]`, of the
 * edges whose lower vertex is v. An entry is twice the higher vertex, plus 1 if the triangle traverses the edge
 * upwards. A triangle a, b, c whose lowest vertex is a adds the pair 2b + 1 and 2c to the list of a, and its edge
 * between b and c to another list. In each list, the pairs come first, up to `middles[v]`.
 */
type EdgeLists = {
  starts: Int32Array
  middles: Int32Array
  entries: Int32Array
}

function measureLists(ids: Int32Array, vertexCount: number) {
  const starts = new Int32Array(vertexCount + 1)
  let degenerateTriangles = 0
  for (let corner = 0; corner < ids.length; corner += 3) {
    const a = ids[corner]!
    const b = ids[corner + 1]!
    const c = ids[corner + 2]!
    if (a === b || b === c || c === a) {
      degenerateTriangles++
    } else {
      starts[(a < b ? a : b) + 1]!++
      starts[(b < c ? b : c) + 1]!++
      starts[(c < a ? c : a) + 1]!++
    }
  }
  for (let v = 0; v < vertexCount; v++) starts[v + 1]! += starts[v]!
  return { starts, degenerateTriangles }
}

/** Fills the lists. Pairs are added from the front of each list, and single edges from its end. */
function fillLists(ids: Int32Array, starts: Int32Array): EdgeLists {
  const entries = new Int32Array(starts.at(-1)!)
  const middles = starts.slice(0, -1)
  const ends = starts.slice(1)
  for (let corner = 0; corner < ids.length; corner += 3) {
    let a = ids[corner]!
    let b = ids[corner + 1]!
    let c = ids[corner + 2]!
    if (a === b || b === c || c === a) continue
    // Rotate the triangle so that the lowest vertex comes first. This keeps the direction of the edges.
    if (b < a && b < c) [a, b, c] = [b, c, a]
    else if (c < a) [a, b, c] = [c, a, b]
    const pair = middles[a]!
    entries[pair] = 2 * b + 1
    entries[pair + 1] = 2 * c
    middles[a] = pair + 2
    if (b < c) entries[--ends[b]!] = 2 * c + 1
    else entries[--ends[c]!] = 2 * b
  }
  return { starts, middles, entries }
}

/** Counts the triangles that have the same three vertices as an earlier triangle, in any order. */
function countDuplicates({ starts, middles, entries }: EdgeLists, vertexCount: number): number {
  let duplicates = 0
  for (let v = 0; v < vertexCount; v++) {
    const start = starts[v]!
    const middle = middles[v]!
    if (middle - start > 2 * PAIRWISE_LIMIT) {
      duplicates += countEqualPairs(entries.subarray(start, middle), vertexCount)
      continue
    }
    for (let at = start + 2; at < middle; at += 2) {
      const b = entries[at]! >> 1
      const c = entries[at + 1]! >> 1
      for (let earlier = start; earlier < at; earlier += 2) {
        const d = entries[earlier]! >> 1
        const e = entries[earlier + 1]! >> 1
        if ((b === d && c === e) || (b === e && c === d)) {
          duplicates++
          break
        }
      }
    }
  }
  return duplicates
}

function countEqualPairs(pairs: Int32Array, vertexCount: number): number {
  // A key combines two vertices in one number. A double represents it exactly for up to 2^26 vertices, and a file with
  // more is larger than 6 GB.
  const keys = new Float64Array(pairs.length / 2)
  for (let i = 0; i < keys.length; i++) {
    const b = pairs[2 * i]! >> 1
    const c = pairs[2 * i + 1]! >> 1
    keys[i] = Math.min(b, c) * vertexCount + Math.max(b, c)
  }
  keys.sort()
  let equal = 0
  for (let i = 1; i < keys.length; i++) if (keys[i] === keys[i - 1]) equal++
  return equal
}

function countEdges({ starts, entries }: EdgeLists) {
  const counts = { openEdges: 0, nonManifoldEdges: 0, windingErrors: 0 }
  for (let v = 0; v + 1 < starts.length; v++) {
    const end = starts[v + 1]!
    sortRange(entries, starts[v]!, end)
    for (let at = starts[v]!; at < end; ) {
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

function sortRange(entries: Int32Array, start: number, end: number) {
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

/** Counts the connected parts by union-find with path halving. */
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
    // The lower number becomes the root. Files mostly list their triangles in order, so this keeps the trees flat.
    if (a < b) parents[b] = a
    else parents[a] = b
    shells--
  }
  for (let corner = 0; corner < ids.length; corner += 3) {
    const a = ids[corner]!
    const b = ids[corner + 1]!
    const c = ids[corner + 2]!
    // Most triangles connect no new vertices. This check finds them quickly, because connected vertices in a flat tree
    // have the same parent.
    if (parents[a] === parents[b] && parents[a] === parents[c]) continue
    join(a, b)
    join(a, c)
  }
  return shells
}

import type { ParsedStl } from '../src/stl/parse-stl.ts'
import { createStlInspector } from '../src/stl/stl-inspector.ts'
import type { Rejection } from '../src/types.ts'

/** Passes a file to the STL inspector in chunks, which end at the offsets `cuts`. Returns the result. */
export function inspectInChunks(bytes: Uint8Array, cuts: number[]) {
  const inspector = createStlInspector()
  let from = 0
  for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    inspector.push(bytes.slice(from, to))
    from = to
  }
  return inspector.finish()
}

/** Converts the parser's result for a file to the result that the inspector must return. */
export function withoutPositions(parsed: ParsedStl | Rejection) {
  if (!parsed.ok) return parsed
  const { encoding, positions, warnings } = parsed
  return { ok: true, encoding, triangles: positions.length / 9, warnings }
}

/**
 * Returns a generator of random numbers from 0 to 1 (mulberry32). The same seed results in the same numbers.
 */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

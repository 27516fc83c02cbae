import { createAsciiDecoder } from './stl-ascii.ts'
import { createBinaryDecoder } from './stl-binary.ts'
import { SNIFFED_BYTES, sniffStl } from './stl-sniffer.ts'
import type { Rejection, StlDecoder, StlSummary, TriangleSink } from './stl-types.ts'

/**
 * The one machine behind the inspector and the parser, so that they cannot disagree: it collects the first bytes,
 * tells the encoding from them and hands everything to that decoder. The format is decided on the same bytes
 * however the file is cut into chunks, so the verdict does not depend on the network.
 */
export function createStlReader(sink: TriangleSink): StlDecoder {
  const prefix = new Uint8Array(SNIFFED_BYTES)
  let prefixLength = 0
  let decoder: StlDecoder | null = null
  let rejection: Rejection | null = null
  let verdict: Rejection | StlSummary | null = null

  function decide(): Rejection | null {
    const seen = prefix.subarray(0, prefixLength)
    const encoding = sniffStl(seen)
    if (typeof encoding !== 'string') return encoding
    decoder = encoding === 'binary' ? createBinaryDecoder(sink) : createAsciiDecoder(sink)
    const hasMark = encoding === 'ascii' && seen[0] === 0xef
    return decoder.push(hasMark ? seen.subarray(3) : seen)
  }

  function push(chunk: Uint8Array): Rejection | null {
    if (rejection) return rejection
    if (decoder) return (rejection = decoder.push(chunk))
    const taken = Math.min(SNIFFED_BYTES - prefixLength, chunk.length)
    prefix.set(chunk.subarray(0, taken), prefixLength)
    prefixLength += taken
    if (prefixLength < SNIFFED_BYTES) return null
    rejection = decide() ?? (taken < chunk.length ? decoder!.push(chunk.subarray(taken)) : null)
    return rejection
  }

  function finish(): Rejection | StlSummary {
    if (!rejection && !decoder) rejection = decide()
    verdict ??= rejection ?? decoder!.finish()
    return verdict
  }

  return { push, finish }
}

import { sniffModel } from './model-sniffer.ts'
import { createObjDecoder } from './obj/obj-decoder.ts'
import { createSniffingDecoder, withoutByteOrderMark } from './sniffing-decoder.ts'
import { createAsciiDecoder } from './stl/stl-ascii.ts'
import { createBinaryDecoder } from './stl/stl-binary.ts'
import type {
  MeshWarning,
  ModelDecoder,
  ModelPart,
  Rejection,
  StlEncoding,
  StlSummary,
  TriangleSink,
} from './types.ts'

/** Properties of a file that are known after it was read from front to back. */
export type StreamedSummary =
  | {
      ok: true
      format: 'stl' | 'obj'
      /** Encoding of an STL. An OBJ is always text. */
      encoding: StlEncoding
      triangles: number
      /** Named objects of an OBJ. The list is empty for an STL. */
      parts: ModelPart[]
      warnings: MeshWarning[]
    }
  /** An archive or a 3MF. Which one it is becomes known only at the end of the file; see `readModel`. */
  | { ok: true; format: 'zip' }

/**
 * Reads an STL or OBJ while it arrives, and detects which one it is. Memory is constant for an STL and grows
 * with the corners of an OBJ. Archives are not read. The result does not depend on how the bytes are cut into
 * chunks. Never throws.
 */
export function createStreamedReader(sink: TriangleSink): ModelDecoder<StreamedSummary> {
  return createSniffingDecoder<StreamedSummary>((prefix) => {
    const format = sniffModel(prefix)
    if (typeof format !== 'string') return format
    switch (format) {
      case 'stl-binary':
        return summarized(createBinaryDecoder(sink), ofStl)
      case 'stl-ascii':
        return withoutByteOrderMark(summarized(createAsciiDecoder(sink), ofStl))
      case 'obj':
        return summarized(createObjDecoder(sink), (found) => ({ ...found, encoding: 'ascii' }))
      case 'zip':
        return { push: () => null, finish: () => ({ ok: true, format }) }
    }
  })
}

const ofStl = ({ encoding, triangles, warnings }: StlSummary): StreamedSummary => ({
  ok: true,
  format: 'stl',
  encoding,
  triangles,
  parts: [],
  warnings,
})

function summarized<Summary extends { ok: true }>(
  decoder: ModelDecoder<Summary>,
  summarize: (summary: Summary) => StreamedSummary,
): ModelDecoder<StreamedSummary> {
  return {
    push: decoder.push,
    finish(): Rejection | StreamedSummary {
      const verdict = decoder.finish()
      return verdict.ok ? summarize(verdict) : verdict
    },
  }
}

import { createSniffingDecoder, withoutByteOrderMark } from '../sniffing-decoder.ts'
import { createAsciiDecoder } from './stl-ascii.ts'
import { createBinaryDecoder } from './stl-binary.ts'
import { sniffStl } from './stl-sniffer.ts'
import type { StlDecoder, TriangleSink } from '../types.ts'

/**
 * Creates the decoder that the STL inspector and the STL parser share, so that their results cannot differ.
 */
export function createStlReader(sink: TriangleSink): StlDecoder {
  return createSniffingDecoder((prefix) => {
    const encoding = sniffStl(prefix)
    if (typeof encoding !== 'string') return encoding
    return encoding === 'binary' ? createBinaryDecoder(sink) : withoutByteOrderMark(createAsciiDecoder(sink))
  })
}

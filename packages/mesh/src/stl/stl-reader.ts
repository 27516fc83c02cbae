import { createSniffingDecoder, withoutByteOrderMark } from '../sniffing-decoder.ts'
import { createAsciiDecoder } from './stl-ascii.ts'
import { createBinaryDecoder } from './stl-binary.ts'
import { sniffStl } from './stl-sniffer.ts'
import type { StlDecoder, TriangleSink } from '../types.ts'

/** The STL inspector and the STL parser share this decoder, so that they cannot disagree. */
export function createStlReader(sink: TriangleSink): StlDecoder {
  return createSniffingDecoder((prefix) => {
    const encoding = sniffStl(prefix)
    if (typeof encoding !== 'string') return encoding
    return encoding === 'binary' ? createBinaryDecoder(sink) : withoutByteOrderMark(createAsciiDecoder(sink))
  })
}

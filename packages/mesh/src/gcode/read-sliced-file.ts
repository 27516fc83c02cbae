import { type ByteSource, readBytes } from '../byte-source.ts'
import { identifyBinary } from '../foreign-files.ts'
import { catchRejection, RejectionError } from '../rejection-error.ts'
import type { Rejection } from '../types.ts'
import { DEFAULT_ZIP_LIMITS, type ZipLimits } from '../zip/limits.ts'
import { isBgcode } from './bgcode-blocks.ts'
import { readBgcode } from './read-bgcode.ts'
import { readGcode3mf } from './read-gcode-3mf.ts'
import { readGcode } from './read-gcode.ts'
import type { SlicedFile } from './sliced-file.ts'

const PREFIX_BYTES = 512

/**
 * Reads a file that a printer can print. Its format is detected from its bytes. A rejection says why, and
 * what the person can do.
 */
export function readSlicedFile(
  source: ByteSource,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<SlicedFile | Rejection> {
  return catchRejection(async (): Promise<SlicedFile> => {
    const prefix = await readBytes(source, 0, PREFIX_BYTES)
    if (prefix.length === 0)
      throw new RejectionError(
        'empty-file',
        'The file is empty. Export it again, and upload the complete file.',
      )
    if (isBgcode(prefix)) return { ok: true, format: 'bgcode', plates: [await readBgcode(source)] }
    if (prefix[0] === 0x50 && prefix[1] === 0x4b)
      return { ok: true, format: 'gcode.3mf', plates: await readGcode3mf(source, limits) }
    refuseForeign(prefix)
    return { ok: true, format: 'gcode', plates: [await readGcode(source)] }
  })
}

const WANTED = 'Choose a .gcode, .bgcode or .gcode.3mf file that the slicer exported.'

function refuseForeign(prefix: Uint8Array): void {
  const what = identifyBinary(prefix)
  if (what !== null) throw new RejectionError('not-a-model', `This is ${what}, not a sliced file. ${WANTED}`)
  const text = new TextDecoder()
    .decode(prefix)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^solid\b/i.test(text) || /^(?:#[^\n]*\n\s*)*(?:v|vn|o|g|mtllib) /.test(text))
    throw new RejectionError(
      'not-a-model',
      `This is a model that has not been sliced. Slice it first. ${WANTED}`,
    )
  if (text.startsWith('<'))
    throw new RejectionError(
      'not-a-model',
      `This is a web page or XML document, not a sliced file. ${WANTED}`,
    )
  if (/^[{[]/.test(text))
    throw new RejectionError('not-a-model', `This is a JSON document, not a sliced file. ${WANTED}`)
}

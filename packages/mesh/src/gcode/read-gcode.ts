import { type ByteSource, readBytes, readRange } from '../byte-source.ts'
import { RejectionError } from '../rejection-error.ts'
import { toPlate } from './plate-figures.ts'
import type { SlicedPlate } from './sliced-file.ts'
import { SlicerComments } from './slicer-comments.ts'
import { MIB } from '../zip/limits.ts'

/**
 * Number of bytes that are read at the beginning, and at the end, of a file. Slicers write pictures, figures and
 * settings there, and only movements in between. The reading time therefore does not grow with the file.
 */
export const HEAD_BYTES = 8 * MIB
const TAIL_BYTES = 2 * MIB
const PROBE_BYTES = 64 * 1024

const CUT_OFF = 'The file is incomplete: its end is missing. Export it again, and upload the complete file.'

/**
 * Reads plain G-code. Throws RejectionError for text without commands, for text of another kind, and for a
 * file that was cut off.
 */
export async function readGcode(source: ByteSource): Promise<SlicedPlate> {
  assertText(await readBytes(source, 0, PROBE_BYTES))
  const comments = new SlicerComments()
  const isWhole = source.sizeBytes <= HEAD_BYTES + TAIL_BYTES
  for await (const chunk of readRange(source, 0, isWhole ? source.sizeBytes : HEAD_BYTES))
    comments.push(chunk)
  const isExecutableOpen = comments.isExecutableOpen
  if (!isWhole) await readTail(source, comments)
  comments.finish()
  if (!comments.hasCommands)
    throw new RejectionError(
      'bad-syntax',
      'This text contains no commands for a printer. Choose the file that the slicer exported.',
    )
  const hasSettings = comments.values.has('prusaslicer_config') || comments.values.has('superslicer_config')
  if ((hasSettings && !comments.hasConfigEnd) || (isExecutableOpen && comments.isExecutableOpen))
    throw new RejectionError('truncated', CUT_OFF)
  const plate = toPlate(comments)
  if (/^(?:Prusa|Super)Slicer /.test(plate.slicer ?? '') && !hasSettings)
    plate.notes.push(
      'The settings that the slicer writes at the end are missing. If nobody removed them, the file is incomplete: upload it again.',
    )
  return plate
}

async function readTail(source: ByteSource, comments: SlicerComments): Promise<void> {
  comments.finish()
  let isFirst = true
  for await (const chunk of readRange(source, source.sizeBytes - TAIL_BYTES, source.sizeBytes)) {
    // Drop the first line, because the chunk may begin in the middle of it.
    comments.push(isFirst ? chunk.subarray(chunk.indexOf(0x0a) + 1) : chunk)
    isFirst = false
  }
}

/** Throws RejectionError for bytes that do not occur in G-code. */
function assertText(bytes: Uint8Array): void {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isWide)
    throw new RejectionError('is-utf16', 'The text is UTF-16, which printers cannot read. Save it as UTF-8.')
  if (bytes.includes(0))
    throw new RejectionError(
      'not-a-model',
      'This is not G-code. Choose a .gcode, .bgcode or .gcode.3mf file that the slicer exported.',
    )
}

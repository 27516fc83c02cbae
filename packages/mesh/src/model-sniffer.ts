import { objStatement } from './obj/obj-statements.ts'
import { isZip, readText, skipBlank, sniffStl } from './stl/stl-sniffer.ts'
import type { Rejection } from './types.ts'

/** What a file is by its first bytes. A ZIP may be a 3MF: its table of contents tells, at its end. */
export type SniffedFormat = 'stl-binary' | 'stl-ascii' | 'obj' | 'zip'

/** Words that an OBJ begins with; the others are too much like plain language. */
const FIRST_WORDS = new Set(['v', 'vt', 'vn', 'f', 'o', 'g', 's', 'mtllib', 'usemtl'])

/**
 * Tells the format from the first `SNIFFED_BYTES` bytes (fewer only if the file is shorter), or why it is no model, in
 * words for whoever uploads it. Names play no part.
 */
export function sniffModel(prefix: Uint8Array): SniffedFormat | Rejection {
  if (isZip(prefix)) return 'zip'
  if (isObj(prefix)) return 'obj'
  const encoding = sniffStl(prefix)
  return encoding === 'binary' ? 'stl-binary' : encoding === 'ascii' ? 'stl-ascii' : encoding
}

/** Text whose first line that says anything is one of OBJ; or nothing but comments as far as we see. */
function isObj(prefix: Uint8Array): boolean {
  const text = readText(prefix, skipBlank(prefix))
  if (!text || text.startsWith('#!')) return false
  const lines = text.split(/[\r\n]+/).map((line) => line.trim())
  const first = lines.find((line) => line !== '' && !line.startsWith('#'))
  if (first === undefined) return text.startsWith('#')
  const [word = '', value = ''] = first.split(/\s+/)
  if (!FIRST_WORDS.has(word)) return false
  const isCoordinate = objStatement(word) !== 'vertex' || /^[-+.\d]|^(nan|inf)/i.test(value)
  return isCoordinate && (word !== 's' || /^(\d+|off|on)$/.test(value))
}

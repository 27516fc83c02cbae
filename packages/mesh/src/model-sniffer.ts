import { objStatement } from './obj/obj-statements.ts'
import { isZip, readText, skipBlank, sniffStl } from './stl/stl-sniffer.ts'
import type { Rejection } from './types.ts'

/**
 * The format according to the first bytes. `zip` may be a 3MF, because only the directory at the end of an archive
 * shows that.
 */
export type SniffedFormat = 'stl-binary' | 'stl-ascii' | 'obj' | 'zip'

/**
 * Words with which an OBJ begins. The other keywords of OBJ are not used here, because a text in ordinary language may
 * begin with them.
 */
const FIRST_WORDS = new Set(['v', 'vt', 'vn', 'f', 'o', 'g', 's', 'mtllib', 'usemtl'])

/**
 * Detects the format from the first `SNIFFED_BYTES` bytes (fewer only if the file is shorter). If the file is
 * not a model, returns the reason in words for the uploader. File names are ignored.
 */
export function sniffModel(prefix: Uint8Array): SniffedFormat | Rejection {
  if (isZip(prefix)) return 'zip'
  if (isObj(prefix)) return 'obj'
  const encoding = sniffStl(prefix)
  return encoding === 'binary' ? 'stl-binary' : encoding === 'ascii' ? 'stl-ascii' : encoding
}

/** Returns whether the bytes are text whose first line is OBJ, or that has only comments so far. */
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

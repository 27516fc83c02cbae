import { explainNumberFault, type NumberFault, parseNumber, tokenText } from '../number-parser.ts'
import { notFiniteMessage } from './stl-binary.ts'
import { scanFacet, type ScannedText } from './stl-facet-scanner.ts'
import {
  BLOCK_TRIANGLES,
  formatCount,
  type MeshWarning,
  type Rejection,
  reject,
  type StlDecoder,
  type StlSummary,
  type TriangleSink,
} from '../types.ts'
import { isWordAt, MAX_TOKEN_BYTES, WORDS } from './stl-keywords.ts'
import { LINE_FEED, RETURN } from '../char-codes.ts'

// Kinds of the next token. Their order matters: within a facet, each kind is the kind before it plus one.
const SOLID = 0
const NAME = 1
const FACET_OR_ENDSOLID = 2
const NORMAL = 3
const NORMAL_NUMBERS = 4
const OUTER = 7
const LOOP = 8
const VERTICES = 9
const ENDLOOP = 21
const ENDFACET = 22
const ENDNAME = 23
const SOLID_OR_END = 24
const TRAILING = 25

/** A vertex is a keyword and three numbers. */
const TOKENS_PER_VERTEX = 4

/**
 * Decodes ASCII STL as it arrives. A facet that is complete in a chunk is scanned in one go. An incomplete or unusual
 * facet is read token by token, and only this path reports errors. If a chunk ends inside a token, its beginning is
 * kept in a fixed buffer; the rest of the state is a few numbers. Line ends may be LF, CRLF or CR, and keywords may be
 * in upper or lower case. Stored normals are ignored, because exporters write NaN for slivers and every program
 * calculates the normals itself.
 */
export function createAsciiDecoder(sink: TriangleSink): StlDecoder {
  const carry = new Uint8Array(MAX_TOKEN_BYTES)
  const block = new Float32Array(BLOCK_TRIANGLES * 9)
  let carried = 0
  let state = SOLID
  let line = 1
  let wasReturn = false
  let triangles = 0
  let inBlock = 0
  let solids = 0
  let inSolid = 0
  let emptySolids = 0
  let trailingBytes = 0
  let rejection: Rejection | null = null

  function flush() {
    if (inBlock > 0) sink(block, inBlock)
    inBlock = 0
  }

  function refuseSyntax(expected: string, bytes: Uint8Array, start: number, end: number): boolean {
    const found = tokenText(bytes, start, Math.min(end, start + 40)).replace(/[^\x21-\x7e]/g, '?')
    rejection = reject(
      'bad-syntax',
      `Line ${formatCount(line)} is not valid STL: expected ${expected}, found "${found}". ${EXPORT_AGAIN}`,
    )
    return false
  }

  function readCoordinate(slot: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = inBlock * 9 + slot
    // The block stores float32, so a number that is too large for it, such as 1e39, becomes infinite, like "inf".
    block[at] = parseNumber(bytes, start, end)
    const value = block[at]!
    if (value - value === 0) return true
    const fault = explainNumberFault(bytes, start, end)
    if (fault !== 'not-finite') return refuseNumber(fault, bytes, start, end)
    rejection = reject('not-finite', notFiniteMessage(triangles + 1))
    return false
  }

  function readNormalNumber(bytes: Uint8Array, start: number, end: number): boolean {
    if (!Number.isNaN(parseNumber(bytes, start, end))) return true
    const fault = explainNumberFault(bytes, start, end)
    return fault === 'not-finite' || refuseNumber(fault, bytes, start, end)
  }

  function refuseNumber(fault: NumberFault, bytes: Uint8Array, start: number, end: number): boolean {
    if (fault !== 'decimal-comma') return refuseSyntax('a number', bytes, start, end)
    rejection = reject(
      'decimal-comma',
      `Line ${formatCount(line)} writes numbers with a decimal comma, which slicers misread. Export the model with decimal points.`,
    )
    return false
  }

  /** Reads one complete token. Returns false after the file was refused. */
  function readToken(bytes: Uint8Array, start: number, end: number): boolean {
    if (state > VERTICES && state < ENDLOOP && (state - VERTICES) % TOKENS_PER_VERTEX > 0) {
      const vertex = Math.floor((state - VERTICES) / TOKENS_PER_VERTEX)
      const axis = ((state - VERTICES) % TOKENS_PER_VERTEX) - 1
      state++
      return readCoordinate(3 * vertex + axis, bytes, start, end)
    }
    if (state >= NORMAL_NUMBERS && state < OUTER) {
      state++
      return readNormalNumber(bytes, start, end)
    }
    return readKeyword(bytes, start, end)
  }

  function readKeyword(bytes: Uint8Array, start: number, end: number): boolean {
    const is = (word: Uint8Array) => isWord(word, bytes, start, end)
    if (state === FACET_OR_ENDSOLID) {
      if (is(WORDS.facet)) state = NORMAL
      else if (is(WORDS.endsolid)) endSolid()
      else return refuseSyntax('"facet" or "endsolid"', bytes, start, end)
      return true
    }
    if (state === SOLID || state === SOLID_OR_END) {
      if (is(WORDS.solid)) beginSolid()
      else if (state === SOLID_OR_END) {
        state = TRAILING
        trailingBytes = end - start
      } else return refuseSyntax('"solid"', bytes, start, end)
      return true
    }
    const expected = expectedWord(state)
    if (!is(expected)) return refuseSyntax(`"${tokenText(expected, 0, expected.length)}"`, bytes, start, end)
    if (state === ENDFACET) endFacet()
    else state++
    return true
  }

  function beginSolid() {
    state = NAME
    solids++
    inSolid = 0
  }

  function endSolid() {
    state = ENDNAME
    if (inSolid === 0) emptySolids++
  }

  function endFacet() {
    state = FACET_OR_ENDSOLID
    triangles++
    inSolid++
    if (++inBlock === BLOCK_TRIANGLES) flush()
  }

  function seeLineEnd(byte: number) {
    if (byte === RETURN || !wasReturn) line++
    wasReturn = byte === RETURN
    if (state === NAME) state = FACET_OR_ENDSOLID
    else if (state === ENDNAME) state = SOLID_OR_END
  }

  /**
   * Completes the token whose beginning was kept with the start of a new chunk. Returns the position at which to
   * continue.
   */
  function joinCarried(bytes: Uint8Array): number {
    let end = 0
    while (end < bytes.length && bytes[end]! > 0x20) end++
    if (carried + end > MAX_TOKEN_BYTES) {
      carry.set(bytes.subarray(0, MAX_TOKEN_BYTES - carried), carried)
      refuseSyntax('a word or a number', carry, 0, MAX_TOKEN_BYTES)
      return end
    }
    carry.set(bytes.subarray(0, end), carried)
    carried += end
    if (end === bytes.length) return end
    const length = carried
    carried = 0
    readToken(carry, 0, length)
    return end
  }

  function push(bytes: Uint8Array): Rejection | null {
    if (rejection) return rejection
    let at = carried > 0 ? joinCarried(bytes) : 0
    while (at < bytes.length && !rejection) {
      const byte = bytes[at]!
      if (state === TRAILING) {
        trailingBytes += bytes.length - at
        return null
      }
      if (byte <= 0x20) {
        if (byte === LINE_FEED || byte === RETURN) seeLineEnd(byte)
        else wasReturn = false
        at++
      } else if (state === NAME || state === ENDNAME) {
        wasReturn = false
        at++
      } else {
        wasReturn = false
        at = state === FACET_OR_ENDSOLID ? readFacets(bytes, at) : readAt(bytes, at)
      }
    }
    return rejection
  }

  /**
   * Scans facets for as long as they are complete and have the common form, and then reads one token. Returns the
   * position at which to continue.
   */
  function readFacets(bytes: Uint8Array, start: number): number {
    const text: ScannedText = { bytes, lineEnds: 0 }
    for (let at = start; ; ) {
      const next = scanFacet(text, at, block, 9 * inBlock)
      if (next === bytes.length) return readAt(bytes, at)
      line += text.lineEnds
      text.lineEnds = 0
      endFacet()
      at = next
    }
  }

  function readAt(bytes: Uint8Array, start: number): number {
    let end = start + 1
    while (end < bytes.length && bytes[end]! > 0x20) end++
    if (end - start > MAX_TOKEN_BYTES)
      refuseSyntax('a word or a number', bytes, start, start + MAX_TOKEN_BYTES)
    else if (end < bytes.length) readToken(bytes, start, end)
    else {
      carry.set(bytes.subarray(start, end))
      carried = end - start
    }
    return end
  }

  function finish(): Rejection | StlSummary {
    if (!rejection && carried > 0) {
      const length = carried
      carried = 0
      // If the file ends inside a keyword, this is not a syntax error. The check below reports that its end is missing.
      if (!readToken(carry, 0, length)) rejection = null
    }
    if (rejection) return rejection
    if (state >= NORMAL && state <= ENDFACET) {
      return reject('truncated', `The file ends inside triangle ${formatCount(triangles + 1)}. ${CUT_OFF}`)
    }
    if (state <= FACET_OR_ENDSOLID) {
      return reject(
        'truncated',
        `The file ends after triangle ${formatCount(triangles)} without "endsolid". ${CUT_OFF}`,
      )
    }
    if (triangles === 0) {
      return reject(
        'no-triangles',
        'The file contains no triangles, so there is nothing to print. Export the model again.',
      )
    }
    flush()
    return { ok: true, encoding: 'ascii', triangles, solids, warnings: listWarnings() }
  }

  function listWarnings(): MeshWarning[] {
    const warnings: MeshWarning[] = []
    if (emptySolids > 0) {
      warnings.push({
        code: 'empty-solid',
        message: `${formatCount(emptySolids)} of ${formatCount(solids)} solids ${emptySolids === 1 ? 'is' : 'are'} empty: check that nothing is missing`,
      })
    }
    if (trailingBytes > 0) {
      warnings.push({ code: 'extra-bytes', message: 'Text after the last "endsolid" was ignored' })
    }
    return warnings
  }

  return { push, finish }
}

const EXPORT_AGAIN = 'Export the model again, as binary STL if you can.'
const CUT_OFF = 'The file is probably incomplete: export or upload it again.'

function expectedWord(state: number): Uint8Array {
  if (state === NORMAL) return WORDS.normal
  if (state === OUTER) return WORDS.outer
  if (state === LOOP) return WORDS.loop
  if (state === ENDLOOP) return WORDS.endloop
  if (state === ENDFACET) return WORDS.endfacet
  return WORDS.vertex
}

function isWord(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === word.length && isWordAt(word, bytes, start)
}

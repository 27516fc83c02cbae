import { createGrowableFloats } from '../growable.ts'
import { explainNumberFault, parseNumber, tokenText } from '../number-parser.ts'
import { objStatement } from './obj-statements.ts'
import {
  formatCount,
  type MeshWarning,
  type ModelDecoder,
  type ModelPart,
  plural,
  type Rejection,
  type RejectionCode,
  reject,
  type TriangleSink,
} from '../types.ts'
import { createLineSplitter } from './text-lines.ts'
import { createTriangleBlock } from '../triangle-block.ts'
import { HASH, MINUS, NINE, SLASH, SPACE, ZERO } from '../char-codes.ts'

/**
 * Result of decoding a valid OBJ. `parts` contains the names of the first objects and groups that have faces.
 */
export type ObjSummary = {
  ok: true
  format: 'obj'
  triangles: number
  parts: ModelPart[]
  warnings: MeshWarning[]
}

/** Maximum number of vertices. They take 192 MB of memory, and an OBJ with that many is larger than a gigabyte. */
const MAX_VERTICES = 16_000_000
/**
 * The number of triangles has its own limit, because a polygon of a few bytes can yield many triangles.
 */
const MAX_TRIANGLES = 40_000_000
const MAX_PARTS = 1000
const MAX_NAME_BYTES = 200
const MAX_KEYWORD_BYTES = 16

const EXPORT_AGAIN = 'Export the model again, or as binary STL.'

/**
 * Decodes Wavefront OBJ while it arrives. Memory grows only with the vertices. Faces are passed on as they are read,
 * because they can only use earlier vertices. Polygons become fans around their first corner. An OBJ has no unit; its
 * numbers are read as millimeters. Files and commands that it names are never opened or run.
 */
export function createObjDecoder(sink: TriangleSink): ModelDecoder<ObjSummary> {
  const vertices = createGrowableFloats()
  const block = createTriangleBlock(sink)
  const parts: ModelPart[] = []
  const corner = { index: 0 }
  let part: ModelPart = { name: '', triangles: 0 }
  let triangles = 0
  let skippedLines = 0
  let firstSkipped = 0
  let surfaces = 0
  let rejection: Rejection | null = null
  let isLastLineOpen = false

  const lines = createLineSplitter(readLine)

  function refuse(code: RejectionCode, message: string): false {
    rejection = reject(code, message)
    return false
  }

  function refuseSyntax(line: number, problem: string): false {
    if (isLastLineOpen) {
      const cutOff = 'The file is probably incomplete: export or upload it again.'
      return refuse('truncated', `The file ends inside line ${formatCount(line)}. ${cutOff}`)
    }
    return refuse('bad-syntax', `Line ${formatCount(line)} is not valid OBJ: ${problem}. ${EXPORT_AGAIN}`)
  }

  function readLine(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    const from = skipBlank(bytes, line === 1 ? skipMark(bytes, start, end) : start, end)
    if (from === end || bytes[from] === HASH) return true
    const wordEnd = tokenEnd(bytes, from, end)
    const word = wordEnd - from > MAX_KEYWORD_BYTES ? '' : tokenText(bytes, from, wordEnd)
    const statement = objStatement(word)
    if (statement === 'vertex') return readVertex(bytes, wordEnd, end, line)
    if (statement === 'face') return readFace(bytes, wordEnd, end, line)
    if (statement === 'name') beginPart(bytes, wordEnd, end)
    else if (statement === 'surface') surfaces++
    else if (statement === 'unknown') {
      // The line looks like a corner or a face. If it were skipped, all later corners would silently get wrong numbers.
      if (isGeometryLike(bytes[from]!))
        return refuseSyntax(line, `"${printable(bytes, from, wordEnd)}" is not a keyword of OBJ`)
      return skipLine(bytes, from, end, line)
    }
    return true
  }

  /**
   * Skips a line with an unknown keyword, because programs add their own keywords and people add notes. Bytes
   * that are not text mean that the file is damaged.
   */
  function skipLine(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      if (byte === 0x7f || (byte < SPACE && (byte < 0x09 || byte > 0x0d)))
        return refuseSyntax(line, 'it contains bytes that are not text')
    }
    firstSkipped ||= line
    skippedLines++
    return true
  }

  function readVertex(bytes: Uint8Array, from: number, end: number, line: number): boolean {
    if (vertices.length === 3 * MAX_VERTICES)
      return refuse(
        'too-large',
        `The file has over ${plural(MAX_VERTICES, 'corner')}. Simplify the model first.`,
      )
    vertices.reserve(3)
    const { values } = vertices
    let at = from
    for (let axis = 0; axis < 3; axis++) {
      const start = skipBlank(bytes, at, end)
      at = tokenEnd(bytes, start, end)
      if (start === at || bytes[start] === HASH) return refuseSyntax(line, 'a corner needs three numbers')
      const slot = vertices.length + axis
      values[slot] = parseNumber(bytes, start, at)
      const value = values[slot]!
      if (value - value !== 0) return refuseNumber(bytes, start, at, line)
    }
    vertices.length += 3
    return true
  }

  function refuseNumber(bytes: Uint8Array, start: number, end: number, line: number): false {
    const fault = explainNumberFault(bytes, start, end)
    const where = `Line ${formatCount(line)}`
    if (fault === 'decimal-comma') {
      const remedy = 'Export the model with decimal points.'
      return refuse(fault, `${where} writes numbers with a decimal comma, which slicers misread. ${remedy}`)
    }
    if (fault === 'not-finite') {
      const remedy = 'Repair the model in the program it comes from and export it again.'
      return refuse(fault, `${where} has a corner that is not a finite number. ${remedy}`)
    }
    return refuseSyntax(line, `expected a number, found "${printable(bytes, start, end)}"`)
  }

  /** Splits the polygon into a fan around its first corner, whose three floats stay in the block. */
  function readFace(bytes: Uint8Array, from: number, end: number, line: number): boolean {
    let corners = 0
    let first = 0
    let before = 0
    for (let at = from; ; ) {
      const start = skipBlank(bytes, at, end)
      if (start === end || bytes[start] === HASH) break
      at = tokenEnd(bytes, start, end)
      if (!readCorner(bytes, start, at, line)) return false
      if (corners === 0) first = corner.index
      else if (corners > 1) addTriangle(first, before, corner.index)
      before = corner.index
      corners++
    }
    if (triangles > MAX_TRIANGLES)
      return refuse(
        'too-large',
        `The file has over ${plural(MAX_TRIANGLES, 'triangle')}. Simplify the model first.`,
      )
    if (corners > 2) return true
    if (isLastLineOpen) return refuseSyntax(line, '')
    firstSkipped ||= line
    skippedLines++
    return true
  }

  /**
   * Parses the vertex of one corner into `corner.index`, which counts from 0. The forms are `v`, `v/vt`,
   * `v//vn` and `v/vt/vn`. A negative `v` counts from the end.
   */
  function readCorner(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    const count = vertices.length / 3
    const number = readIndex(bytes, start, end)
    if (number === 0) {
      return refuseSyntax(
        line,
        `expected a corner such as 3 or 3/1/2, found "${printable(bytes, start, end)}"`,
      )
    }
    corner.index = number > 0 ? number - 1 : count + number
    if (corner.index >= 0 && corner.index < count) return true
    const problem = `it uses corner ${number}, but only ${formatCount(count)} ${count === 1 ? 'is' : 'are'} defined before it`
    return refuseSyntax(line, problem)
  }

  function addTriangle(a: number, b: number, c: number) {
    const { values } = vertices
    const target = block.values
    const at = block.offset
    for (let axis = 0; axis < 3; axis++) {
      target[at + axis] = values[3 * a + axis]!
      target[at + 3 + axis] = values[3 * b + axis]!
      target[at + 6 + axis] = values[3 * c + axis]!
    }
    block.added()
    triangles++
    part.triangles++
  }

  function beginPart(bytes: Uint8Array, from: number, end: number) {
    closePart()
    const start = skipBlank(bytes, from, end)
    const name = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_NAME_BYTES))).trim()
    part = { name, triangles: 0 }
  }

  function closePart() {
    if (part.triangles > 0 && parts.length < MAX_PARTS) parts.push(part)
  }

  function finish(): Rejection | ObjSummary {
    isLastLineOpen = true
    if (!rejection) lines.finish()
    if (lines.tooLongAt > 0) refuseLongLine()
    if (rejection) return rejection
    if (triangles === 0) {
      const cause = surfaces > 0 ? 'curved surfaces but no triangles' : 'no faces'
      return reject(
        'no-triangles',
        `The file contains ${cause}, so there is nothing to print. ${EXPORT_AGAIN}`,
      )
    }
    block.flush()
    closePart()
    return { ok: true, format: 'obj', triangles, parts, warnings: listWarnings() }
  }

  function refuseLongLine(): Rejection {
    return (rejection ??= reject(
      'bad-syntax',
      `Line ${formatCount(lines.tooLongAt)} is too long to be OBJ. ${EXPORT_AGAIN}`,
    ))
  }

  function listWarnings(): MeshWarning[] {
    const list: MeshWarning[] = []
    const add = (message: string) => list.push({ code: 'left-out', message })
    if (surfaces > 0) add(`${plural(surfaces, 'curved surface')} ignored: only faces are read`)
    if (skippedLines > 0) {
      add(
        `${plural(skippedLines, 'line')} not understood and ignored, the first is line ${formatCount(firstSkipped)}`,
      )
    }
    return list
  }

  return {
    push(bytes) {
      if (rejection || lines.push(bytes)) return rejection
      return rejection ?? refuseLongLine()
    },
    finish,
  }
}

/** Skips the byte order mark of UTF-8. */
function skipMark(bytes: Uint8Array, start: number, end: number): number {
  const hasMark =
    end - start > 2 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return hasMark ? start + 3 : start
}

/**
 * Returns whether a keyword starts like those of corners and faces (`v` and `f`). Other unknown keywords are notes and
 * settings.
 */
function isGeometryLike(letter: number): boolean {
  const lower = letter | 0x20
  return lower === 0x76 || lower === 0x66
}

function skipBlank(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] === SPACE || (bytes[at]! >= 0x09 && bytes[at]! <= 0x0d))) at++
  return at
}

function tokenEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! > SPACE) at++
  return at
}

/**
 * Returns the whole number before the first slash. For a malformed corner, returns 0, which is never an
 * index.
 */
function readIndex(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  let at = isNegative ? start + 1 : start
  let value = 0
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte < ZERO || byte > NINE) break
    value = Math.min(value * 10 + (byte - ZERO), Number.MAX_SAFE_INTEGER)
  }
  let slashes = 0
  for (let rest = at; rest < end; rest++) {
    const byte = bytes[rest]!
    if (byte === SLASH) slashes++
    else if (byte !== MINUS && (byte < ZERO || byte > NINE)) return 0
  }
  if (slashes > 2 || (at < end && bytes[at] !== SLASH)) return 0
  return isNegative ? -value : value
}

function printable(bytes: Uint8Array, start: number, end: number): string {
  return tokenText(bytes, start, Math.min(end, start + 40)).replace(/[^\x21-\x7e]/g, '?')
}

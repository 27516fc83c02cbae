import { EXPORT_AGAIN, RejectionError } from '../rejection-error.ts'
import { createNameTable } from './xml-names.ts'
import {
  declare,
  type NamespaceScope,
  type QualifiedName,
  resolveElement,
  resolvePrefix,
  ROOT_SCOPE,
} from './xml-namespaces.ts'
import {
  AMPERSAND,
  APOSTROPHE,
  BANG,
  EQUALS,
  GREATER,
  LESS,
  QUESTION,
  QUOTE,
  SLASH,
  SPACE,
} from '../char-codes.ts'

/** The attributes of the element that is being opened. They are valid only during the call. */
export type XmlAttributes = {
  /** Number of attributes, without declarations of namespaces. */
  readonly count: number
  /** The name of an attribute. If it has a prefix, the namespace comes first, as in `{http://…}path`. */
  name(index: number): string
  /** The raw value of an attribute is `bytes` from `start` to `end`. References such as `&amp;` are not resolved. */
  readonly bytes: Uint8Array
  start(index: number): number
  end(index: number): number
}

export type XmlHandler = {
  open(name: QualifiedName, attributes: XmlAttributes): void
  close(name: QualifiedName): void
  /**
   * Receives a piece of the text between tags: `bytes` from `start` to `end`. `isLiteral` means that `&` has no special
   * meaning (CDATA). A piece may end inside a character, but never inside a reference.
   */
  text(bytes: Uint8Array, start: number, end: number, isLiteral: boolean): void
}

export type XmlReader = { push(chunk: Uint8Array): void; finish(): void }

/**
 * Maximum nesting depth of elements. No model needs more. The reader could read deeper files, but its callers may use
 * recursion.
 */
const MAX_DEPTH = 64
/**
 * Maximum size of one tag, comment or reference. The colors of individual triangles can make an attribute
 * several kilobytes long.
 */
const MAX_MARKUP_BYTES = 256 * 1024
const MAX_ATTRIBUTES = 64

/**
 * Parses XML as it arrives: elements, attributes, text, comments and CDATA. A DOCTYPE is refused without
 * parsing, so only the five predefined entities exist, nothing is fetched and nothing expands. The text must
 * be UTF-8, as 3MF requires. Throws RejectionError for XML that is not well-formed, too deep or too long.
 */
export function createXmlReader(handler: XmlHandler): XmlReader {
  const internName = createNameTable()
  const openElements: { raw: string; name: QualifiedName; outer: NamespaceScope }[] = []
  const spans = new Int32Array(2 * MAX_ATTRIBUTES)
  const names: string[] = []
  let scope = ROOT_SCOPE
  let pending = new Uint8Array(0)
  let isStarted = false
  let hasRoot = false

  const attributes = {
    count: 0,
    bytes: new Uint8Array(0) as Uint8Array,
    name: (index: number) => names[index]!,
    start: (index: number) => spans[2 * index]!,
    end: (index: number) => spans[2 * index + 1]!,
  }

  /** Parses all markup that is complete. Returns where the incomplete rest begins. */
  function scan(bytes: Uint8Array): number {
    let at = 0
    while (at < bytes.length) {
      if (bytes[at] !== LESS) {
        const end = find(bytes, LESS, at)
        const stop = end < 0 ? bytes.length : end
        const cut = end < 0 ? withoutOpenReference(bytes, at, stop) : stop
        if (cut > at) readText(bytes, at, cut, false)
        if (cut < stop || end < 0) return cut
        at = stop
        continue
      }
      const next = readMarkup(bytes, at)
      if (next < 0) return at
      at = next
    }
    return at
  }

  function readText(bytes: Uint8Array, start: number, end: number, isLiteral: boolean) {
    if (openElements.length > 0) handler.text(bytes, start, end, isLiteral)
    else if (isLiteral || skipBlank(bytes, start, end) < end)
      throw malformed('it contains text outside of its elements')
  }

  /**
   * Parses one tag, comment or similar markup, beginning with its "<". Returns its end, or −1 if it is
   * incomplete.
   */
  function readMarkup(bytes: Uint8Array, start: number): number {
    const second = bytes[start + 1]
    if (second === undefined) return -1
    if (second === QUESTION) return afterMark(bytes, start + 2, '?>')
    if (second === BANG) return readDeclaration(bytes, start)
    const end = tagEnd(bytes, start + 1)
    if (end < 0) return -1
    if (second === SLASH) closeElement(bytes, start + 2, end)
    else openElement(bytes, start + 1, end)
    return end + 1
  }

  function readDeclaration(bytes: Uint8Array, start: number): number {
    if (startsWith(bytes, start, '<!--')) return afterMark(bytes, start + 4, '-->')
    if (startsWith(bytes, start, '<![CDATA[')) {
      const end = afterMark(bytes, start + 9, ']]>')
      if (end >= 0) readText(bytes, start + 9, end - 3, true)
      return end
    }
    if (bytes.length - start < 9) return -1
    throw new RejectionError(
      'unsafe-xml',
      `The file defines its own XML (DOCTYPE), which 3MF does not allow, because it can be used to attack programs. ${EXPORT_AGAIN}`,
    )
  }

  function openElement(bytes: Uint8Array, start: number, end: number) {
    const isEmpty = bytes[end - 1] === SLASH
    const stop = isEmpty ? end - 1 : end
    const nameEnd = skipName(bytes, start, stop)
    if (nameEnd === start) throw malformed('a tag has no name')
    if (openElements.length === 0 && hasRoot) throw malformed('it contains more than one document')
    if (openElements.length === MAX_DEPTH) {
      throw new RejectionError(
        'unsafe-xml',
        `Its elements are nested more than ${MAX_DEPTH} deep. ${EXPORT_AGAIN}`,
      )
    }
    hasRoot = true
    const raw = internName(bytes, start, nameEnd)
    const outer = scope
    readAttributes(bytes, nameEnd, stop)
    const name = resolveElement(scope, raw)
    handler.open(name, attributes)
    if (isEmpty) {
      handler.close(name)
      scope = outer
    } else openElements.push({ raw, name, outer })
  }

  function closeElement(bytes: Uint8Array, start: number, end: number) {
    const nameEnd = skipName(bytes, start, end)
    const element = openElements.pop()
    const isMatch = element !== undefined && internName(bytes, start, nameEnd) === element.raw
    if (!isMatch || skipBlank(bytes, nameEnd, end) < end) throw malformed('its tags do not match')
    handler.close(element.name)
    scope = element.outer
  }

  function readAttributes(bytes: Uint8Array, from: number, end: number) {
    attributes.count = 0
    attributes.bytes = bytes
    for (let at = skipBlank(bytes, from, end); at < end; at = skipBlank(bytes, at, end)) {
      const nameEnd = skipName(bytes, at, end)
      const equals = skipBlank(bytes, nameEnd, end)
      const start = skipBlank(bytes, equals + 1, end)
      const quote = bytes[start]
      const isQuoted = start < end && (quote === QUOTE || quote === APOSTROPHE)
      const isSeparate = bytes[at - 1]! <= SPACE
      if (nameEnd === at || bytes[equals] !== EQUALS || !isQuoted || !isSeparate)
        throw malformed('an attribute is malformed')
      const close = find(bytes, quote, start + 1)
      addAttribute(internName(bytes, at, nameEnd), bytes, start + 1, close)
      at = close + 1
    }
    for (let i = 0; i < attributes.count; i++) {
      const colon = names[i]!.indexOf(':')
      if (colon > 0)
        names[i] = `{${resolvePrefix(scope, names[i]!.slice(0, colon))}}${names[i]!.slice(colon + 1)}`
    }
  }

  function addAttribute(name: string, bytes: Uint8Array, start: number, end: number) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      scope = declare(scope, name, bytes.subarray(start, end))
      return
    }
    for (let i = 0; i < attributes.count; i++)
      if (names[i] === name) throw malformed('an attribute appears twice')
    if (attributes.count === MAX_ATTRIBUTES) throw malformed('an element has too many attributes')
    names[attributes.count] = name
    spans[2 * attributes.count] = start
    spans[2 * attributes.count + 1] = end
    attributes.count++
  }

  return {
    push(chunk) {
      let bytes = pending.length > 0 ? joined(pending, chunk) : chunk
      if (!isStarted) {
        if (bytes.length < 4) {
          pending = bytes.slice()
          return
        }
        isStarted = true
        bytes = bytes.subarray(startOfText(bytes))
      }
      const rest = scan(bytes)
      if (bytes.length - rest > MAX_MARKUP_BYTES) throw malformed('a tag in it never ends')
      pending = bytes.slice(rest)
    },
    finish() {
      if (!hasRoot || openElements.length > 0 || pending.length > 0) {
        throw new RejectionError('truncated', `A part of the file is incomplete. ${EXPORT_AGAIN}`)
      }
    },
  }
}

/**
 * Returns the position of `byte` from `start` on, or −1. It is faster than `indexOf` for the short ranges that are
 * usually searched.
 */
function find(bytes: Uint8Array, byte: number, start: number): number {
  const near = Math.min(bytes.length, start + 24)
  for (let at = start; at < near; at++) if (bytes[at] === byte) return at
  return bytes.indexOf(byte, near)
}

function malformed(problem: string): RejectionError {
  return new RejectionError('unsafe-xml', `The XML in the file is broken: ${problem}. ${EXPORT_AGAIN}`)
}

/** Skips the byte order mark of UTF-8. Other encodings are refused. */
function startOfText(bytes: Uint8Array): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const isWide = bytes[0]! >= 0xfe || bytes[0] === 0 || bytes[1] === 0
  if (isWide)
    throw new RejectionError('unsafe-xml', `The text in the file is UTF-16, not UTF-8. ${EXPORT_AGAIN}`)
  return hasMark ? 3 : 0
}

function joined(front: Uint8Array, back: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(front.length + back.length)
  all.set(front)
  all.set(back, front.length)
  return all
}

/**
 * Returns where the text ends, without a reference such as `&amp;` that is incomplete at the end of the chunk. It is
 * read with the next chunk.
 */
function withoutOpenReference(bytes: Uint8Array, start: number, end: number): number {
  const from = Math.max(start, end - 16)
  const at = bytes.subarray(from, end).lastIndexOf(AMPERSAND)
  return at >= 0 && !bytes.subarray(from + at, end).includes(0x3b) ? from + at : end
}

/** Returns the position of the ">" that ends a tag, or −1 if it has not arrived yet. A ">" in quotes is ignored. */
function tagEnd(bytes: Uint8Array, start: number): number {
  let quote = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (quote > 0) {
      if (byte === quote) quote = 0
      else if (byte === LESS) throw malformed('an attribute is malformed')
    } else if (byte === GREATER) return at
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte
    else if (byte === LESS) throw malformed('its tags do not match')
  }
  return -1
}

/** Returns the position after `mark`, or −1 if it has not arrived yet. */
function afterMark(bytes: Uint8Array, start: number, mark: string): number {
  const last = mark.charCodeAt(mark.length - 1)
  for (let at = bytes.indexOf(last, start); at >= 0; at = bytes.indexOf(last, at + 1)) {
    const from = at - mark.length + 1
    if (from >= start && startsWith(bytes, from, mark)) return at + 1
  }
  return -1
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

function skipBlank(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! <= SPACE) at++
  return at
}

/** Returns where a name ends. Its characters are not checked, because unknown names are ignored anyway. */
function skipName(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! > SPACE && bytes[at] !== EQUALS && bytes[at] !== SLASH) at++
  return at
}

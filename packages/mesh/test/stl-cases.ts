import type { RejectionCode } from '../src/types.ts'
import { createCube } from '../samples/shapes.ts'
import { writeAsciiStl } from '../samples/write-ascii-stl.ts'
import { writeBinaryStl } from '../src/stl/write-stl.ts'

/** A file and its expected result. The tests of the STL inspector and the STL parser share these cases. */
export type StlCase = { name: string; bytes: Uint8Array } & (
  | { refused: RejectionCode; says?: RegExp }
  | { triangles: number; encoding: 'binary' | 'ascii'; warns?: string[] }
)

const encode = (text: string) => new TextEncoder().encode(text)
const cube = createCube(20)

export const FACET =
  ' facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1.5 0 0\n   vertex 0 2e1 -3.0e-033\n  endloop\n endfacet\n'

export function asciiStl(body: string, name = 'part'): Uint8Array {
  return encode(`solid ${name}\n${body}endsolid ${name}\n`)
}

export function patched(bytes: Uint8Array, patch: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice()
  patch(new DataView(copy.buffer), copy)
  return copy
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function utf16(text: string, isLittle: boolean, hasMark: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle)
  const mark = isLittle ? [0xff, 0xfe] : [0xfe, 0xff]
  return joined(Uint8Array.from(hasMark ? mark : []), new Uint8Array(view.buffer))
}

const binary = writeBinaryStl(cube)
const solidBinary = writeBinaryStl(cube, 'solid cube'.padEnd(80))
const ascii = writeAsciiStl(cube, 'cube')
const asciiText = new TextDecoder().decode(ascii)
const withCount = (bytes: Uint8Array, count: number) =>
  patched(bytes, (view) => view.setUint32(80, count, true))
const withCorner = (value: number) =>
  patched(binary, (view) => view.setFloat32(84 + 3 * 50 + 12 + 8, value, true))

const program = patched(new Uint8Array(4096).fill(0x90), (_, bytes) =>
  bytes.set([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0]),
)
const elf = patched(new Uint8Array(4096), (_, bytes) => bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]))
const zip = patched(new Uint8Array(4096), (_, bytes) => bytes.set([0x50, 0x4b, 3, 4, 20, 0]))

export const ACCEPTED: StlCase[] = [
  { name: 'plain binary', bytes: binary, triangles: 12, encoding: 'binary' },
  { name: 'binary whose header starts with "solid"', bytes: solidBinary, triangles: 12, encoding: 'binary' },
  {
    name: 'binary with a header that imitates ASCII',
    bytes: writeBinaryStl(cube, 'solid x\nfacet normal 0 0 1\n'.padEnd(80)),
    triangles: 12,
    encoding: 'binary',
  },
  {
    name: 'binary with one byte too many',
    bytes: joined(binary, encode('\n')),
    triangles: 12,
    encoding: 'binary',
    warns: ['extra-bytes'],
  },
  {
    name: 'binary that claims one triangle too few',
    bytes: withCount(solidBinary, 11),
    triangles: 11,
    encoding: 'binary',
    warns: ['extra-bytes'],
  },
  { name: 'plain ASCII', bytes: ascii, triangles: 12, encoding: 'ascii' },
  {
    name: 'ASCII with a byte order mark',
    bytes: joined(Uint8Array.of(0xef, 0xbb, 0xbf), ascii),
    triangles: 12,
    encoding: 'ascii',
  },
  {
    name: 'ASCII with CRLF',
    bytes: encode(asciiText.replaceAll('\n', '\r\n')),
    triangles: 12,
    encoding: 'ascii',
  },
  {
    name: 'ASCII with CR alone',
    bytes: encode(asciiText.replaceAll('\n', '\r')),
    triangles: 12,
    encoding: 'ascii',
  },
  { name: 'ASCII in upper case', bytes: encode(asciiText.toUpperCase()), triangles: 12, encoding: 'ascii' },
  {
    name: 'ASCII with BOM, CRLF and upper case',
    bytes: encode(`\ufeff${asciiText.toUpperCase().replaceAll('\n', '\r\n')}`),
    triangles: 12,
    encoding: 'ascii',
  },
  {
    name: 'ASCII after blank lines',
    bytes: joined(encode('\n\n \t'), ascii),
    triangles: 12,
    encoding: 'ascii',
  },
  {
    name: 'ASCII with a Chinese name',
    bytes: asciiStl(FACET, '月亮 (v2) – копия'),
    triangles: 1,
    encoding: 'ascii',
  },
  {
    name: 'ASCII with a very long name',
    bytes: asciiStl(FACET, 'x'.repeat(100_000)),
    triangles: 1,
    encoding: 'ascii',
  },
  {
    name: 'ASCII whose name is made of keywords',
    bytes: asciiStl(FACET, 'facet normal endsolid solid'),
    triangles: 1,
    encoding: 'ascii',
  },
  { name: 'ASCII without a name', bytes: encode(`solid\n${FACET}endsolid`), triangles: 1, encoding: 'ascii' },
  { name: 'ASCII with several solids', bytes: joined(ascii, ascii), triangles: 24, encoding: 'ascii' },
  {
    name: 'ASCII with an empty solid next to a full one',
    bytes: joined(asciiStl(''), ascii),
    triangles: 12,
    encoding: 'ascii',
    warns: ['empty-solid'],
  },
  {
    name: 'ASCII with NaN in a stored normal',
    bytes: asciiStl(FACET.replace('0 0 1', 'nan -nan(ind) 1.#QNAN')),
    triangles: 1,
    encoding: 'ascii',
  },
  {
    name: 'ASCII with text after the end',
    bytes: joined(ascii, encode('exported by hand\n')),
    triangles: 12,
    encoding: 'ascii',
    warns: ['extra-bytes'],
  },
  {
    name: 'ASCII with stretches of blanks',
    bytes: asciiStl(FACET.replaceAll(' ', ' \t'.repeat(500))),
    triangles: 1,
    encoding: 'ascii',
  },
]

export const REFUSED: StlCase[] = [
  { name: 'an empty file', bytes: new Uint8Array(0), refused: 'empty-file', says: /empty/ },
  { name: 'blank space only', bytes: encode(' \n\n '), refused: 'empty-file' },
  { name: '83 bytes', bytes: binary.slice(0, 83), refused: 'too-short', says: /83 bytes/ },
  {
    name: '84 bytes that promise 12 triangles',
    bytes: binary.slice(0, 84),
    refused: 'count-mismatch',
    says: /promises 12 triangles.* after 0/,
  },
  {
    name: '84 bytes with zero triangles',
    bytes: new Uint8Array(84),
    refused: 'no-triangles',
    says: /no triangles/,
  },
  { name: 'a count of zero with triangles after it', bytes: withCount(binary, 0), refused: 'no-triangles' },
  {
    name: 'a count one too high',
    bytes: withCount(binary, 13),
    refused: 'count-mismatch',
    says: /promises 13 triangles, but the file ends after 12/,
  },
  {
    name: 'the highest possible count',
    bytes: withCount(binary, 0xffffffff),
    refused: 'count-mismatch',
    says: /4,294,967,295/,
  },
  {
    name: 'the highest count behind a "solid" header',
    bytes: withCount(solidBinary, 0xffffffff),
    refused: 'count-mismatch',
  },
  {
    name: 'a cut inside the last triangle',
    bytes: binary.slice(0, -17),
    refused: 'truncated',
    says: /ends inside triangle 12/,
  },
  { name: 'a NaN corner', bytes: withCorner(Number.NaN), refused: 'not-finite', says: /Triangle 4 / },
  { name: 'an infinite corner', bytes: withCorner(Infinity), refused: 'not-finite', says: /Triangle 4 / },
  {
    name: 'a minus infinite corner',
    bytes: withCorner(-Infinity),
    refused: 'not-finite',
    says: /Triangle 4 /,
  },
  {
    name: 'ASCII with NaN',
    bytes: asciiStl(FACET + FACET.replace('1.5', 'nan')),
    refused: 'not-finite',
    says: /Triangle 2 /,
  },
  { name: 'ASCII with Infinity', bytes: asciiStl(FACET.replace('1.5', '-INFINITY')), refused: 'not-finite' },
  { name: 'ASCII with 1.#QNAN', bytes: asciiStl(FACET.replace('1.5', '1.#QNAN')), refused: 'not-finite' },
  { name: 'ASCII beyond float32', bytes: asciiStl(FACET.replace('1.5', '3.5e38')), refused: 'not-finite' },
  { name: 'ASCII beyond double', bytes: asciiStl(FACET.replace('1.5', '1e99999')), refused: 'not-finite' },
  {
    name: 'decimal commas',
    bytes: asciiStl(FACET.replace('1.5', '1,5')),
    refused: 'decimal-comma',
    says: /Line 5 .*decimal/,
  },
  {
    name: 'decimal commas in the normal',
    bytes: asciiStl(FACET.replace('0 0 1', '0,0 0,0 1,0')),
    refused: 'decimal-comma',
  },
  {
    name: 'a word for a number',
    bytes: asciiStl(FACET.replace('1.5', '1.5mm')),
    refused: 'bad-syntax',
    says: /Line 5 .*a number.*1\.5mm/,
  },
  {
    name: 'a corner of two numbers',
    bytes: asciiStl(FACET.replace('1.5 0 0', '1.5 0')),
    refused: 'bad-syntax',
  },
  {
    name: 'a facet with four corners',
    bytes: asciiStl(FACET.replace('  endloop', '   vertex 1 1 1\n  endloop')),
    refused: 'bad-syntax',
  },
  {
    name: 'an endless token',
    bytes: asciiStl(FACET.replace('1.5', '1'.repeat(5000))),
    refused: 'bad-syntax',
  },
  {
    name: 'ASCII without endsolid',
    bytes: encode(`solid x\n${FACET}`),
    refused: 'truncated',
    says: /after triangle 1 without "endsolid"/,
  },
  {
    name: 'ASCII cut inside a facet',
    bytes: ascii.slice(0, -200),
    refused: 'truncated',
    says: /inside triangle/,
  },
  { name: 'ASCII cut inside a word', bytes: encode(`solid x\n${FACET} fac`), refused: 'truncated' },
  { name: 'ASCII cut inside the name', bytes: encode('solid par'), refused: 'truncated' },
  { name: 'only empty solids', bytes: joined(asciiStl(''), asciiStl('')), refused: 'no-triangles' },
  {
    name: 'a web page',
    bytes: encode(`<!DOCTYPE html><html><body>${'Please sign in. '.repeat(20)}</body></html>`),
    refused: 'not-a-model',
    says: /web page/,
  },
  { name: 'another text', bytes: encode('# Wavefront OBJ\n'.repeat(20)), refused: 'not-a-model' },
  { name: 'a Windows program', bytes: program, refused: 'not-a-model', says: /program/ },
  { name: 'a Linux program', bytes: elf, refused: 'not-a-model', says: /program/ },
  { name: 'a 3MF', bytes: zip, refused: 'is-archive', says: /3MF/ },
  { name: 'UTF-16 with a mark', bytes: utf16(asciiText, true, true), refused: 'is-utf16' },
  { name: 'UTF-16 big-endian with a mark', bytes: utf16(asciiText, false, true), refused: 'is-utf16' },
  { name: 'UTF-16 without a mark', bytes: utf16(asciiText, true, false), refused: 'is-utf16' },
  { name: 'UTF-16 big-endian without a mark', bytes: utf16(asciiText, false, false), refused: 'is-utf16' },
]

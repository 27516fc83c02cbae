import { describe, expect, it } from 'vitest'
import { createSphere } from '../../samples/shapes.ts'
import { createAsciiDecoder } from './stl-ascii.ts'
import { scanFacet } from './stl-facet-scanner.ts'
import { writeAsciiStl } from '../../samples/write-ascii-stl.ts'
import { mutate } from '../../test/mutate.ts'
import { asciiStl, FACET } from '../../test/stl-cases.ts'
import { seededRandom } from '../../test/stl-tools.ts'

type Pick = (limit: number) => number

/** Number of files. Each is read byte by byte, so thousands of files take about a minute. */
const RUNS = process.env['PEGASUS_LONG'] === '1' ? 10_000 : 300
const encode = (text: string) => new TextEncoder().encode(text)

const BLANKS = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\n\r',
  '\r\r\n',
  ' \n\n ',
  '\0',
  '\v\f',
  ' '.repeat(300),
]
const LINE_ENDS = ['\n', '\r', '\r\n', '\n\n', '\r\n\r\n', ' \r \n']
const USUAL_NUMBERS = ['0', '-1.5', '+2', '1.000000e+01', '-3.25E-3', '7.125', '12', '0.5']
const ODD_NUMBERS = [
  '-0',
  '.5',
  '5.',
  '-.25e2',
  '1e-45',
  '1e-033',
  '0e999',
  '3.4028235e38',
  '9007199254740993',
  '0.1000000000000000055511151231257827',
  '16777217.000000000001',
  '1e22',
  '1e23',
  '0'.repeat(100) + '1',
  '1e00000000002',
]
const BAD_NUMBERS = [
  'nan',
  '-inf',
  '1.#QNAN',
  '1e39',
  '-3.5e38',
  '1e999',
  '1,5',
  '1,500.0',
  '1.5mm',
  '1.2.3',
  '.',
  '-',
  '--1',
  'e5',
  '1e',
  '1e+',
  '1e5.5',
  '0x10',
  '1_0',
  '٣',
  '1'.repeat(200),
  '0'.repeat(128) + '1',
]
const NAMES = [
  '',
  ' part',
  ' facet normal 0 0 0',
  ' endsolid',
  ' solid 月亮',
  ' a\tb facet',
  ` ${'x'.repeat(500)}`,
]
const ODD_WORDS = ['', 'facets', 'endfacet', 'vertex', 'loo', 'solid', 'x', '\u017f']

/**
 * Writes an ASCII STL with a few facets. Some words and numbers are unusual or wrong; how many differs between files.
 */
function writeOddStl(pick: Pick): Uint8Array<ArrayBuffer> {
  const oneOf = <Item>(items: readonly Item[]) => items[pick(items.length)]!
  const [oddShare, badShare] = [oneOf([0, 10, 100]), oneOf([0, 0, 1, 5])]
  const isOdd = () => pick(200) < oddShare
  const isBad = (outOf = 400) => pick(outOf) < badShare
  const number = () => oneOf(isBad(100) ? BAD_NUMBERS : isOdd() ? ODD_NUMBERS : USUAL_NUMBERS)
  const normal = () => (isOdd() ? oneOf(['nan', '-nan(ind)', '1.#IND', '1e999', 'inf']) : number())
  const word = (usual: string) => {
    if (isBad()) return oneOf(ODD_WORDS)
    return isOdd() ? oneOf([usual.toUpperCase(), usual[0]!.toUpperCase() + usual.slice(1)]) : usual
  }
  const lineEnd = oneOf(LINE_ENDS)
  const blank = (usual: string) => {
    if (isBad()) return ''
    return isOdd() ? oneOf(BLANKS) : usual
  }
  const corner = () =>
    `${word('vertex')}${[1, 2, 3].map(() => blank(' ') + number()).join('')}${blank(lineEnd)}`
  const facet = () =>
    [
      `${word('facet')}${blank(' ')}${word('normal')}${[1, 2, 3].map(() => blank(' ') + normal()).join('')}`,
      `${word('outer')}${blank(' ')}${word('loop')}`,
      `${corner()}${blank('  ')}${corner()}${blank('\t')}${corner()}${word('endloop')}`,
      word('endfacet'),
    ]
      .map((line) => line + blank(lineEnd))
      .join(blank(' '))
  const solid = () =>
    `${word('solid')}${oneOf(NAMES)}${lineEnd}${Array.from({ length: pick(5) }, facet).join('')}${word('endsolid')}${oneOf(NAMES)}`
  return encode(Array.from({ length: 1 + pick(3) }, solid).join(lineEnd) + oneOf(['', lineEnd, '\nthe end']))
}

/** Decodes a file that is cut at the given offsets. Returns the result and the bits of all corners. */
function decode(bytes: Uint8Array, cuts: readonly number[]) {
  const corners: number[] = []
  const decoder = createAsciiDecoder((block, count) => {
    corners.push(...new Uint32Array(block.slice(0, 9 * count).buffer))
  })
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    // Pass a copy that is exactly as long as the chunk, so that the test fails if the decoder reads beyond its end.
    decoder.push(bytes.slice(from, to))
    from = to
  }
  return { verdict: decoder.finish(), corners }
}

const everyByte = (bytes: Uint8Array) => Array.from(bytes, (_, at) => at)

describe('reading an ASCII STL', () => {
  it(`${RUNS} odd ASCII STL files give the same result and errors, whether read at once or byte by byte`, () => {
    const random = seededRandom(20_261_122)
    const pick: Pick = (limit) => Math.floor(random() * limit)
    const seen = { triangles: 0, codes: new Map<string, number>() }
    for (let run = 0; run < RUNS; run++) {
      const written = writeOddStl(pick)
      const bytes = pick(4) === 0 ? mutate(written, writeOddStl(pick), pick) : written
      const whole = decode(bytes, [])
      const text = new TextDecoder().decode(bytes)
      // If a file is read byte by byte, no facet is complete in a chunk, so every token is read individually.
      expect(decode(bytes, everyByte(bytes)), text).toEqual(whole)
      const cuts = Array.from({ length: pick(4) }, () => pick(bytes.length + 1)).toSorted((a, b) => a - b)
      expect(decode(bytes, cuts), `${cuts} of ${text}`).toEqual(whole)
      seen.triangles += whole.corners.length / 9
      const code = whole.verdict.ok ? 'ok' : whole.verdict.code
      seen.codes.set(code, (seen.codes.get(code) ?? 0) + 1)
    }
    // Check that the generator has made every kind of file.
    expect(seen.triangles).toBeGreaterThan(RUNS)
    for (const code of ['ok', 'bad-syntax', 'not-finite', 'decimal-comma', 'truncated', 'no-triangles'])
      expect(seen.codes.get(code), code).toBeGreaterThan(RUNS / 100)
  })

  it('an ASCII STL gives the same result wherever it is cut into two chunks', () => {
    const random = seededRandom(5)
    const pick: Pick = (limit) => Math.floor(random() * limit)
    const files = [asciiStl(FACET.repeat(3)), ...Array.from({ length: RUNS / 100 }, () => writeOddStl(pick))]
    for (const bytes of files) {
      const whole = decode(bytes, [])
      for (let cut = 0; cut <= bytes.length; cut++) expect(decode(bytes, [cut])).toEqual(whole)
    }
  })

  it('an error after many facets of an ASCII STL names the correct line, for every kind of line end', () => {
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      const facets = (FACET.repeat(1500) + FACET.replace('1.5', '1.5mm')).replaceAll('\n', lineEnd)
      const { verdict } = decode(encode(`solid x${lineEnd}${facets}endsolid${lineEnd}`), [])
      expect(verdict).toMatchObject({ ok: false, message: expect.stringMatching(/^Line 10,505 /) })
    }
  })

  it('the fast scan accepts every facet of our own ASCII STL writer, except a facet at the end of the bytes', () => {
    const positions = createSphere(10, 12)
    const bytes = writeAsciiStl(positions)
    const text = { bytes, lineEnds: 0 }
    const corners = new Float32Array(positions.length)
    let at = bytes.indexOf(0x0a) + 1
    while (bytes[at] === 0x20) at++
    for (let offset = 0; offset < positions.length; offset += 9) {
      at = scanFacet(text, at, corners, offset)
      expect(at).toBeLessThan(bytes.length)
    }
    expect(corners).toEqual(positions)
    expect(text.lineEnds).toBe((7 * positions.length) / 9)

    const last = encode(FACET.trim())
    expect(scanFacet({ bytes: last, lineEnds: 0 }, 0, corners, 0)).toBe(last.length)
  })
})

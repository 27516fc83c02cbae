import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStl } from './parse-stl.ts'
import { createCube, createSphere } from '../../samples/shapes.ts'
import { createStlInspector } from './stl-inspector.ts'
import { writeAsciiStl } from '../../samples/write-ascii-stl.ts'
import { writeBinaryStl } from './write-stl.ts'
import { ACCEPTED, asciiStl, FACET, REFUSED } from '../../test/stl-cases.ts'
import { mutate } from '../../test/mutate.ts'
import { inspectInChunks, seededRandom, withoutPositions } from '../../test/stl-tools.ts'

describe('reading an STL', () => {
  it.each(ACCEPTED)('the STL parser accepts $name', (stlCase) => {
    const parsed = parseStl(stlCase.bytes)
    const warns = 'warns' in stlCase ? stlCase.warns : []
    expect(parsed).toMatchObject({ ok: true, encoding: 'encoding' in stlCase && stlCase.encoding })
    if (!parsed.ok || !('triangles' in stlCase)) return
    expect(parsed.positions.length).toBe(9 * stlCase.triangles)
    expect(parsed.warnings.map((warning) => warning.code)).toEqual(warns ?? [])
    expect(inspectInChunks(stlCase.bytes, [])).toEqual(withoutPositions(parsed))
  })

  it.each(REFUSED)('the STL parser refuses $name', (stlCase) => {
    const parsed = parseStl(stlCase.bytes)
    expect(parsed).toMatchObject({ ok: false, code: 'refused' in stlCase && stlCase.refused })
    if (parsed.ok || !('refused' in stlCase)) return
    expect(parsed.message).toMatch(stlCase.says ?? /./)
    expect(parsed.message).toMatch(/^[A-Z].*\.$/)
    expect(inspectInChunks(stlCase.bytes, [])).toEqual(parsed)
  })

  it('the STL parser returns the same result however the file is cut into chunks', () => {
    for (const { bytes } of [...ACCEPTED, ...REFUSED]) {
      const whole = inspectInChunks(bytes, [])
      expect(
        inspectInChunks(
          bytes,
          Array.from({ length: Math.min(bytes.length, 1500) }, (_, i) => i),
        ),
      ).toEqual(whole)
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
          expect(inspectInChunks(bytes, cuts)).toEqual(whole)
        }),
        { numRuns: 15, seed: 7 },
      )
    }
  })

  it('the STL parser can refuse a file early, and later bytes do not change the refusal', () => {
    const inspector = createStlInspector()
    const page = new TextEncoder().encode(`<html>${'x'.repeat(2000)}`)
    const early = inspector.push(page)
    expect(early).toMatchObject({ ok: false, code: 'not-a-model' })
    expect(inspector.push(writeBinaryStl(createCube()))).toEqual(early)
    expect(inspector.finish()).toEqual(early)
  })

  it('the STL parser reads back exactly the floats that the STL writers wrote', () => {
    const positions = createSphere(12.345, 24)
    const binary = parseStl(writeBinaryStl(positions))
    const ascii = parseStl(writeAsciiStl(positions))
    expect(binary.ok && binary.positions).toEqual(positions)
    expect(ascii.ok && ascii.positions).toEqual(positions)
  })

  it('the STL parser rounds every decimal like Number() and Math.fround()', () => {
    const random = seededRandom(11)
    const words = [
      '0',
      '-0',
      '+1',
      '.5',
      '5.',
      '1E+2',
      '-2.5e-3',
      '1e-45',
      '7e-46',
      '16777217',
      '3.4028235e38',
      '9007199254740993',
    ]
    for (let i = 0; i < 600; i++) {
      const value = (random() - 0.5) * 10 ** Math.floor(random() * 60 - 30)
      words.push(
        String(value),
        value.toExponential(Math.floor(random() * 20)),
        value.toFixed(9),
        String(Math.fround(value)),
      )
    }
    for (const word of words) {
      const parsed = parseStl(asciiStl(FACET.replace('1.5', word)))
      expect(parsed.ok && parsed.positions[3], word).toBe(Math.fround(Number(word)))
    }
  })

  it('the STL parser counts the solids of an ASCII file', () => {
    const one = writeAsciiStl(createCube())
    const two = new Uint8Array([...one, ...one])
    expect(parseStl(two)).toMatchObject({ ok: true, solids: 2 })
  })

  it('the STL parser can read from a view at an odd offset of a larger buffer', () => {
    const file = writeBinaryStl(createCube())
    const padded = new Uint8Array(file.length + 7)
    padded.set(file, 3)
    expect(parseStl(padded.subarray(3, 3 + file.length))).toMatchObject({ ok: true, encoding: 'binary' })
  })
})

const FUZZ_RUNS = Number(process.env['FUZZ_RUNS'] ?? 300)

describe('reading damaged STL files', () => {
  it(`the STL parser gives consistent results on ${FUZZ_RUNS} mutated inputs and never throws`, () => {
    const random = seededRandom(20260101)
    const pick = (limit: number) => Math.floor(random() * limit)
    const seeds = [...ACCEPTED, ...REFUSED]
      .map((stlCase) => stlCase.bytes)
      .filter((bytes) => bytes.length < 20_000)
    for (let run = 0; run < FUZZ_RUNS; run++) {
      const bytes = mutate(seeds[pick(seeds.length)]!, seeds[pick(seeds.length)]!, pick)
      const parsed = parseStl(bytes)
      const cuts = Array.from({ length: pick(6) }, () => pick(bytes.length + 1))
      expect(inspectInChunks(bytes, cuts)).toEqual(withoutPositions(parsed))
      if (parsed.ok) expect(parsed.positions.every(Number.isFinite)).toBe(true)
    }
  })
})

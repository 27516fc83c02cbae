import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createObjDecoder } from './obj-decoder.ts'
import { OBJ_CASES } from '../../test/obj-cases.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function decode(bytes: Uint8Array, cuts: number[] = []) {
  const positions: number[] = []
  const decoder = createObjDecoder((block, count) => {
    positions.push(...block.subarray(0, 9 * count))
  })
  let from = 0
  for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    decoder.push(bytes.slice(from, to))
    from = to
  }
  return { verdict: decoder.finish(), positions }
}

describe('reading an OBJ', () => {
  it.each(OBJ_CASES)('the OBJ decoder handles this case: $name', (objCase) => {
    const { verdict, positions } = decode(encode(objCase.text))
    if ('refused' in objCase) {
      expect(verdict).toMatchObject({ ok: false, code: objCase.refused })
      if (verdict.ok) return
      expect(verdict.message).toMatch(objCase.says ?? /./)
      expect(verdict.message).toMatch(/^[A-Z].*\.$/)
      return
    }
    expect(verdict).toMatchObject({ ok: true, format: 'obj', triangles: objCase.triangles })
    expect(positions.length).toBe(9 * objCase.triangles)
    if (!verdict.ok) return
    if (objCase.parts) expect(verdict.parts.map((part) => part.name)).toEqual(objCase.parts)
    expect(verdict.warnings.length).toBe(objCase.warns?.length ?? 0)
    for (const [i, says] of (objCase.warns ?? []).entries())
      expect(verdict.warnings[i]?.message).toMatch(says)
  })

  it('the OBJ decoder splits a polygon into a fan around its first corner, in the order of the file', () => {
    const { positions } = decode(encode('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n'))
    expect(positions).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0])
  })

  it('the OBJ decoder gives the same result however the file is cut into chunks', () => {
    for (const { text } of OBJ_CASES.filter((objCase) => objCase.text.length < 2000)) {
      const bytes = encode(text)
      const whole = decode(bytes)
      expect(decode(bytes, [...bytes.keys()])).toEqual(whole)
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
          expect(decode(bytes, cuts)).toEqual(whole)
        }),
        { numRuns: 15, seed: 7 },
      )
    }
  })

  it('the OBJ decoder keeps only the corners in memory and passes on each face as soon as it is read', () => {
    let handed = 0
    const decoder = createObjDecoder((_, count) => {
      handed += count
    })
    decoder.push(encode('v 0 0 0\nv 1 0 0\nv 1 1 0\n'))
    const faces = encode('f 1 2 3\n'.repeat(2048))
    for (let i = 0; i < 50; i++) decoder.push(faces)
    expect(handed).toBe(50 * 2048)
  })
})

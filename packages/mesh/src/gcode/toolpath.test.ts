import { describe, expect, it } from 'vitest'
import { createMeatpackReader } from './meatpack.ts'
import { createToolpathReader } from './toolpath.ts'

const read = (text: string, { maxLines = 1000, chunk = 7 } = {}) => {
  const reader = createToolpathReader(maxLines)
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += chunk) if (!reader.push(bytes.subarray(at, at + chunk))) break
  return reader.finish()
}

describe('reading the toolpath', () => {
  it('the toolpath contains a line for each extrusion, but no lines for travel and retraction', () => {
    const path = read(
      'G28\nG90\nM82\nG92 E0\n;LAYER_CHANGE\nG1 Z.2 F7800\nG1 X10 Y10\nG1 X20 Y10 E1.5\nG1 E0.5\nG1 X30\n;LAYER_CHANGE\nG1 Z0.4\nG1 E1.5\nG1 X30 Y20 E2\nG1X30Y30E3',
    )
    expect([...path.positions].map((each) => Math.round(each * 100) / 100)).toEqual([
      10, 10, 0.2, 20, 10, 0.2, 30, 10, 0.4, 30, 20, 0.4, 30, 20, 0.4, 30, 30, 0.4,
    ])
    expect([...path.layerEnds]).toEqual([1, 3])
    expect([...path.layerZ].map((each) => Math.round(each * 10) / 10)).toEqual([0.2, 0.4])
    expect(path.isCut).toBe(false)
  })

  it('without layer comments, the toolpath starts a layer at each new height, even after relative movements and arcs', () => {
    const path = read('G91\nG1 Z0.2\nG1 X10 E1\nG1 Z0.2\nG1 X10 E1\nG90\nM83\nG2 X20 Y0 I5 J0 E2\n')
    expect([...path.layerEnds].length).toBe(2)
    expect(path.layerEnds[1]).toBeGreaterThan(20)
    expect(path.positions.slice(-3, -1)).toEqual(Float32Array.of(20, 0))
    expect(read('; layer 1, Z = 0.2\nG1 X1 E1\n; layer 2, Z = 0.4\nG1 Z1 X2 E2\n').layerEnds).toHaveLength(2)
  })

  it('the toolpath stops at its maximum number of lines, and malformed commands yield no invalid coordinates', () => {
    const many = Array.from({ length: 50 }, (_, i) => `G1 X${i + 1} E${i + 1}`).join('\n')
    expect(read(many, { maxLines: 10 })).toMatchObject({ isCut: true, layerEnds: Uint32Array.of(10) })
    const nonsense = read(
      `G1 X-.-5 Yabc E99999999999999999999\nG\nG1\n;LAYER\n(x)\nG1${'9'.repeat(200_000)}\nG2 X1 I0 E1\n`,
      { chunk: 65_536 },
    )
    expect([...nonsense.positions].every(Number.isFinite)).toBe(true)
  })
})

describe('reading MeatPack', () => {
  it('the MeatPack reader unpacks two characters from a byte, whole bytes and commands', () => {
    // "G1 X5" and a line end: G1, " X", "5\n". Then "M82\n", whose M is a whole byte.
    const packed = [0xff, 0xff, 0xfb, 0x1d, 0xeb, 0xc5, 0x8f, 0x4d, 0xc2, 0xff, 0xff, 0xfa, 0x3b, 0x78]
    const reader = createMeatpackReader()
    const out = [
      reader.push(Uint8Array.from(packed.slice(0, 5))),
      reader.push(Uint8Array.from(packed.slice(5))),
    ]
    expect(out.map((bytes) => new TextDecoder().decode(bytes)).join('')).toBe('G1 X5\nM82\n;x')
  })
})

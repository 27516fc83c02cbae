import { describe, expect, it } from 'vitest'
import { createMemorySource } from '../src/byte-source.ts'
import { findFormat } from '../src/read-model.ts'
import { createStreamedReader } from '../src/read-streamed-model.ts'
import { MISMATCHED } from './mismatched-files.ts'
import { readWhole } from './model-tools.ts'
import { OBJ_CASES } from './obj-cases.ts'
import { ACCEPTED, REFUSED } from './stl-cases.ts'
import { build3mf } from './threemf-tools.ts'
import { buildZip } from './zip-tools.ts'

const SENTENCE = /^[A-Z"].{15,}[.]$/s

describe('model files that are broken or hostile', () => {
  it(`T64 ${MISMATCHED.length} files of other formats are refused with the name of their format`, async () => {
    const wrong: string[] = []
    for (const { name, bytes, says } of MISMATCHED) {
      const { verdict, positions } = await readWhole(bytes)
      if (verdict.ok || positions.length > 0) wrong.push(`${name}: accepted`)
      else if (!says.test(verdict.message) || !SENTENCE.test(verdict.message))
        wrong.push(`${name}: ${verdict.message}`)
    }
    console.log(`T64 mismatched files accepted or misnamed ${wrong.length} of ${MISMATCHED.length}`)
    expect(wrong).toEqual([])
  })

  it('T67 broken STL and OBJ files are refused quickly and with the reason, and take little memory', async () => {
    const encode = (text: string) => new TextEncoder().encode(text)
    const cases = [
      ...[...ACCEPTED, ...REFUSED].map((each) => ({ ...each, refused: 'refused' in each })),
      ...OBJ_CASES.map((each) => ({ name: each.name, bytes: encode(each.text), refused: 'refused' in each })),
    ]
    const wrong: string[] = []
    let slowestMs = 0
    const before = process.memoryUsage().rss
    for (const { name, bytes, refused } of cases) {
      const start = process.threadCpuUsage()
      const { verdict } = await readWhole(bytes)
      const { user, system } = process.threadCpuUsage(start)
      slowestMs = Math.max(slowestMs, (user + system) / 1000)
      // A file that is no valid STL may still be a valid model in another format.
      const isOther = verdict.ok && verdict.format !== 'stl' && refused
      if (verdict.ok === refused && !isOther)
        wrong.push(`${name}: ${verdict.ok ? 'accepted' : verdict.message}`)
      else if (!verdict.ok && !SENTENCE.test(verdict.message)) wrong.push(`${name}: ${verdict.message}`)
    }
    const grownMb = Math.round((process.memoryUsage().rss - before) / 1e6)
    console.log(
      `T67 wrong ${wrong.length} of ${cases.length}, slowest ${Math.round(slowestMs)} ms, memory +${grownMb} MB`,
    )
    expect(wrong).toEqual([])
    expect(slowestMs).toBeLessThan(1000)
  })
})

describe('detection of model formats', () => {
  const obj = new TextEncoder().encode('# made by hand\n\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
  const stl = ACCEPTED[0]!.bytes

  it.each([
    ['stl', stl],
    ['obj', obj],
    ['3mf', build3mf()],
    ['zip', buildZip([{ name: 'a.stl', data: stl }])],
  ])('the format %s is detected by content', async (format, bytes) => {
    expect(await findFormat(createMemorySource(bytes))).toEqual({ ok: true, format })
    const reader = createStreamedReader(() => {})
    for (const byte of bytes.subarray(0, 3000)) reader.push(Uint8Array.of(byte))
    reader.push(bytes.subarray(3000))
    expect(reader.finish()).toMatchObject({ ok: true, format: format === '3mf' ? 'zip' : format })
  })

  it('an OBJ with a byte order mark, or with more comments than the format detection reads, is accepted', async () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...obj])
    expect((await readWhole(marked)).verdict).toMatchObject({ ok: true, format: 'obj', triangles: 1 })
    const talkative = new TextEncoder().encode(
      `${'# about this model\n'.repeat(200)}${new TextDecoder().decode(obj)}`,
    )
    expect((await readWhole(talkative)).verdict).toMatchObject({ ok: true, format: 'obj', triangles: 1 })
  })
})

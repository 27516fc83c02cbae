import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openArchive } from './archive.ts'
import { createMemorySource } from '../byte-source.ts'
import { rejectionOf } from '../rejection-error.ts'
import { createCube } from '../../samples/shapes.ts'
import type { RejectionCode } from '../types.ts'
import { ACCEPTED_ZIP_LIMITS, DEFAULT_ZIP_LIMITS, packageLimitsFor, zipLimitsFor } from './limits.ts'
import { writeAsciiStl } from '../../samples/write-ascii-stl.ts'
import { writeBinaryStl } from '../stl/write-stl.ts'
import { build3mf } from '../../test/threemf-tools.ts'
import { buildZip, concat, type PackedFile } from '../../test/zip-tools.ts'

const stl = writeBinaryStl(createCube(20))
const text = writeAsciiStl(createCube(20))
const one = (name: string | Uint8Array, more: Partial<PackedFile> = {}): PackedFile => ({
  name,
  data: stl,
  ...more,
})
const zeros = new Uint8Array(20 * 1024 * 1024)

/** Returns an archive whose files share one packed block. Each file claims to contain the whole block. */
function overlapping(): Uint8Array {
  const files = Array.from({ length: 200 }, (_, i) =>
    one(`${i}.stl`, i === 0 ? {} : { centralFields: { offset: 0 }, packed: new Uint8Array(0) }),
  )
  return buildZip(files)
}

/** Sets one byte of a record in the archive to 255. `offset` counts from the signature of the record. */
function ruined(bytes: Uint8Array, signature: number[], offset: number): Uint8Array {
  const at = bytes.findIndex((_, i) => signature.every((byte, j) => bytes[i + j] === byte))
  bytes[at + offset] = 255
  return bytes
}

type HostileCase = { name: string; bytes: Uint8Array; refused: RejectionCode }

const HOSTILE: HostileCase[] = [
  { name: 'a path that climbs', bytes: buildZip([one('../../../tmp/x.stl')]), refused: 'unsafe-archive' },
  { name: 'a path that climbs later', bytes: buildZip([one('a/../../x.stl')]), refused: 'unsafe-archive' },
  { name: 'an absolute path', bytes: buildZip([one('/etc/passwd')]), refused: 'unsafe-archive' },
  { name: 'a drive', bytes: buildZip([one('C:/x.stl')]), refused: 'unsafe-archive' },
  { name: 'a backslash', bytes: buildZip([one('..\\x.stl')]), refused: 'unsafe-archive' },
  { name: 'a network path', bytes: buildZip([one('\\\\host\\x.stl')]), refused: 'unsafe-archive' },
  { name: 'NUL in a name', bytes: buildZip([one('x.stl\0.txt')]), refused: 'unsafe-archive' },
  { name: 'a line end in a name', bytes: buildZip([one('x\r\ny.stl')]), refused: 'unsafe-archive' },
  { name: 'no name', bytes: buildZip([one('')]), refused: 'bad-archive' },
  { name: 'a name of 60,000 bytes', bytes: buildZip([one('x'.repeat(60_000))]), refused: 'bad-archive' },
  {
    name: 'a link',
    bytes: buildZip([one('x.stl', { centralFields: { mode: 0o120777 } })]),
    refused: 'unsafe-archive',
  },
  {
    name: 'a device',
    bytes: buildZip([one('x.stl', { centralFields: { mode: 0o020666 } })]),
    refused: 'unsafe-archive',
  },
  { name: 'the same name twice', bytes: buildZip([one('x.stl'), one('x.stl')]), refused: 'unsafe-archive' },
  {
    name: 'other names in front',
    bytes: buildZip([one('x.stl', { localFields: { name: 'y.stl' } })]),
    refused: 'unsafe-archive',
  },
  {
    name: 'other sizes in front',
    bytes: buildZip([one('x.stl', { localFields: { sizeBytes: 5 } })]),
    refused: 'unsafe-archive',
  },
  {
    name: 'another method in front',
    bytes: buildZip([one('x.stl', { localFields: { method: 0 } })]),
    refused: 'unsafe-archive',
  },
  { name: 'a password', bytes: buildZip([one('x.stl', { flags: 1 })]), refused: 'protected' },
  { name: 'strong encryption', bytes: buildZip([one('x.stl', { flags: 0x41 })]), refused: 'protected' },
  {
    name: '100,000 files',
    bytes: buildZip(Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}`, data: '', isStored: true }))),
    refused: 'too-large',
  },
  {
    name: '5,000 files',
    bytes: buildZip(Array.from({ length: 5000 }, (_, i) => ({ name: `${i}`, data: '', isStored: true }))),
    refused: 'too-large',
  },
  { name: 'files that overlap', bytes: overlapping(), refused: 'unsafe-archive' },
  {
    name: 'a table of contents inside a file',
    bytes: buildZip([one('x.stl')], { directoryOffset: 10 }),
    refused: 'bad-archive',
  },
  {
    name: 'a file that begins beyond the end',
    bytes: buildZip([one('x.stl', { centralFields: { offset: 4_000_000 } })]),
    refused: 'unsafe-archive',
  },
  {
    name: 'a claim of 4 GiB',
    bytes: buildZip([one('x.stl', { centralFields: { sizeBytes: 0xfffffffe } })]),
    refused: 'too-large',
  },
  { name: 'a bomb of zeros', bytes: buildZip([one('x.stl', { data: zeros })]), refused: 'unsafe-archive' },
  {
    name: 'fewer files than promised',
    bytes: buildZip([one('x.stl')], { entries: 2 }),
    refused: 'bad-archive',
  },
  {
    name: 'more files than promised',
    bytes: buildZip([one('x.stl'), one('y.stl')], { entries: 1 }),
    refused: 'bad-archive',
  },
  {
    name: 'bytes in front (a polyglot)',
    bytes: concat([new Uint8Array(100), buildZip([one('x.stl')])]),
    refused: 'bad-archive',
  },
  {
    name: 'bytes behind',
    bytes: buildZip([one('x.stl')], { after: new Uint8Array(3) }),
    refused: 'bad-archive',
  },
  {
    name: 'a ZIP64 place beyond all numbers',
    bytes: ruined(buildZip([one('x.stl')], { isLong: true }), [0x50, 0x4b, 6, 7], 12),
    refused: 'bad-archive',
  },
  {
    name: 'a ZIP64 record at another position',
    bytes: ruined(buildZip([one('x.stl')], { isLong: true }), [0x50, 0x4b, 6, 6], 4),
    refused: 'bad-archive',
  },
  { name: 'half of it', bytes: buildZip([one('x.stl')]).slice(0, -30), refused: 'bad-archive' },
  { name: 'nothing but the first header', bytes: Uint8Array.of(0x50, 0x4b, 3, 4), refused: 'bad-archive' },
]

/** Files with a false claim, one for each kind. Reading them must fail. */
const LYING: { name: string; file: PackedFile }[] = [
  {
    name: 'more bytes than declared',
    file: one('x', { centralFields: { sizeBytes: 100 }, localFields: { sizeBytes: 100 } }),
  },
  {
    name: 'fewer bytes than declared',
    file: one('x', { centralFields: { sizeBytes: 100_000 }, localFields: { sizeBytes: 100_000 } }),
  },
  { name: 'another checksum', file: one('x', { isStored: true, packed: stl.toReversed() }) },
  { name: 'bytes that are no deflate', file: one('x', { packed: new Uint8Array(50).fill(0xff) }) },
  { name: 'deflate that is cut off', file: one('x', { packed: deflateRawSync(stl).slice(0, 60) }) },
  {
    name: 'bytes behind the deflate',
    file: one('x', { packed: concat([deflateRawSync(stl), new Uint8Array(9)]) }),
  },
  { name: 'a method nobody has', file: one('x', { method: 99 }) },
]

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return concat(chunks)
}

const open = (bytes: Uint8Array) => openArchive(createMemorySource(bytes))

describe('opening a ZIP', () => {
  it('an opened ZIP lists its files with formats detected by content, not by name', async () => {
    const archive = await open(
      buildZip([
        { name: 'folder/', data: '', isStored: true },
        { name: 'folder/part.bin', data: stl },
        { name: 'text', data: text, isStored: true },
        { name: 'a.txt', data: 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' },
        { name: 'plate.zip', data: build3mf() },
        { name: 'nested.stl', data: buildZip([one('x.stl')]) },
        { name: 'read me.stl', data: 'Thank you for downloading. '.repeat(20) },
        { name: 'picture.obj', data: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4) },
        { name: 'деталь.stl', data: stl },
        { name: 'empty.stl', data: '', isStored: true },
        { name: 'strange.stl', data: stl, method: 12 },
      ]),
    )
    expect(archive.ok && archive.entries.map(({ name, format }) => [name, format])).toEqual([
      ['folder/part.bin', 'stl'],
      ['text', 'stl'],
      ['a.txt', 'obj'],
      ['plate.zip', '3mf'],
      ['nested.stl', null],
      ['read me.stl', null],
      ['picture.obj', null],
      ['деталь.stl', 'stl'],
      ['empty.stl', null],
      ['strange.stl', null],
    ])
    const reasons = archive.ok
      ? archive.entries.filter((entry) => entry.format === null).map((entry) => entry.reason)
      : []
    expect(reasons[0]).toMatch(/archive inside the archive/)
    expect(reasons[1]).toMatch(/another kind of text file, not a model/)
    expect(reasons[2]).toMatch(/a picture/)
    expect(reasons[3]).toMatch(/empty/)
    expect(reasons[4]).toMatch(/is not supported/)
  })

  it('an opened ZIP returns each file unchanged', async () => {
    const archive = await open(buildZip([one('x.stl'), one('y.stl', { data: text, isStored: true })]))
    if (!archive.ok) throw new Error(archive.message)
    expect(await collect(archive.read('x.stl'))).toEqual(stl)
    expect(await collect(archive.read('y.stl'))).toEqual(text)
  })

  it.each([
    [
      'sizes behind the data',
      buildZip([one('x.stl', { isDeferred: true }), one('y.stl', { isDeferred: true })]),
    ],
    ['ZIP64', buildZip([one('x.stl'), one('y.stl')], { isLong: true })],
    [
      'ZIP64 and a comment',
      buildZip([one('x.stl'), one('y.stl')], { isLong: true, comment: 'x'.repeat(60_000) }),
    ],
  ])('openArchive reads an archive with %s', async (_, bytes) => {
    const archive = await open(bytes)
    if (!archive.ok) throw new Error(archive.message)
    expect(await collect(archive.read('x.stl'))).toEqual(stl)
    expect(await collect(archive.read('y.stl'))).toEqual(stl)
  })

  it('T62 file names in a ZIP that a shell would execute are treated as text', async () => {
    const names = [
      ';id',
      '$(id)',
      '`id`',
      'a|b',
      '-o',
      '&& rm -rf .',
      "'",
      '"',
      '%2e%2e%2f',
      '~',
      'CON',
      'x.',
      '\u202Efdp.stl',
    ]
    const archive = await open(buildZip(names.map((name) => one(name))))
    const wrong = archive.ok ? names.filter((name, i) => archive.entries[i]?.name !== name) : names
    console.log(`T62 names of archive members not kept as data ${wrong.length} of ${names.length}`)
    expect(wrong).toEqual([])
  })

  it('a ZIP may have a comment at its end', async () => {
    expect(await open(buildZip([one('x.stl')], { comment: 'from me' }))).toMatchObject({ ok: true })
  })

  it(`T68 ${HOSTILE.length} hostile archives and ${LYING.length} entries with false headers are refused`, async () => {
    const wrong: string[] = []
    const before = process.memoryUsage().rss
    for (const { name, bytes, refused } of HOSTILE) {
      const verdict = await open(bytes)
      if (verdict.ok || verdict.code !== refused)
        wrong.push(`${name}: ${verdict.ok ? 'accepted' : verdict.code}`)
      else if (!/^[A-Z"].{15,}\.$/s.test(verdict.message)) wrong.push(`${name}: ${verdict.message}`)
    }
    for (const { name, file } of LYING) {
      const archive = await open(buildZip([file]))
      const outcome = archive.ok ? await collect(archive.read('x')).catch(rejectionOf) : archive
      if (outcome === null || !('ok' in outcome)) wrong.push(`${name}: read`)
    }
    const grownMb = Math.round((process.memoryUsage().rss - before) / 1e6)
    const cases = HOSTILE.length + LYING.length
    console.log(`T68 hostile archives wrong ${wrong.length} of ${cases}, memory +${grownMb} MB`)
    expect(wrong).toEqual([])
  })

  it('T68 unpacking a ZIP entry stops at the size that the archive declares', async () => {
    const archive = await open(
      buildZip([
        one('x', { data: zeros, centralFields: { sizeBytes: 1000 }, localFields: { sizeBytes: 1000 } }),
      ]),
    )
    if (!archive.ok) throw new Error(archive.message)
    let unpacked = 0
    const reading = async () => {
      for await (const chunk of archive.read('x')) unpacked += chunk.length
    }
    await expect(reading()).rejects.toThrow(/more than the archive says/)
    console.log(`T68 unpacked ${unpacked} bytes of a bomb that promised 1000`)
    expect(unpacked).toBeLessThanOrEqual(1000)
  })
})

describe('limits for the contents of archives', () => {
  const GIB = 1024 ** 3
  const SIZE = 1.5 * GIB
  /** Returns an archive with files that claim to unpack to 1.5 GiB each. They are never unpacked. */
  const large = (count: number): Uint8Array => {
    const packed = new Uint8Array(Math.ceil(SIZE / 200))
    const centralFields = { sizeBytes: SIZE }
    return buildZip(
      Array.from({ length: count }, (_, i) =>
        one(`${i}.stl`, { packed, centralFields, localFields: centralFields }),
      ),
    )
  }
  const [single, two, three] = [large(1), large(2), large(3)]

  it.each([
    { name: 'one by the default', bytes: single, limits: DEFAULT_ZIP_LIMITS, isOpen: false },
    { name: 'one where an upload may be as large', bytes: single, limits: zipLimitsFor(SIZE), isOpen: true },
    { name: 'one where an upload may not', bytes: single, limits: zipLimitsFor(SIZE - 1), isOpen: false },
    { name: 'two, which are twice an upload', bytes: two, limits: zipLimitsFor(SIZE), isOpen: true },
    { name: 'three, which are more', bytes: three, limits: zipLimitsFor(SIZE), isOpen: false },
    { name: 'three where uploads are larger', bytes: three, limits: zipLimitsFor(3 * GIB), isOpen: true },
    { name: 'three that were accepted once', bytes: three, limits: ACCEPTED_ZIP_LIMITS, isOpen: true },
  ])(
    'the limits for the contents of archives depend on the limit for uploads: $name',
    async ({ bytes, limits, isOpen }) => {
      const opened = await openArchive(createMemorySource(bytes), limits)
      expect(opened.ok ? 'open' : opened.code).toBe(isOpen ? 'open' : 'too-large')
    },
  )

  it('if the limit for uploads is small, the limits for whole archives and for 3MF packages keep their defaults', () => {
    expect(zipLimitsFor(1000)).toEqual({ ...DEFAULT_ZIP_LIMITS, maxEntryBytes: 1000 })
    expect(packageLimitsFor(1000)).toEqual(DEFAULT_ZIP_LIMITS)
    expect(packageLimitsFor(3 * GIB)).toEqual(zipLimitsFor(3 * GIB))
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from './byte-source.ts'
import { openFileSource } from './file-source.ts'
import { createSurfaceMeter } from './measure/measure.ts'
import { readModel } from './read-model.ts'
import { createCube } from '../samples/shapes.ts'
import { writeBinaryStl } from './stl/write-stl.ts'
import { build3mf } from '../test/threemf-tools.ts'

const RECORD_BYTES = 50
const HEADER_BYTES = 84

/** A binary STL of any size that repeats the same cube. Its bytes are generated while it is read. */
function endlessCubes(triangles: number): ByteSource {
  const cube = writeBinaryStl(createCube(20))
  const header = cube.slice(0, HEADER_BYTES)
  new DataView(header.buffer).setUint32(80, triangles, true)
  const records = Buffer.concat(Array.from({ length: 1000 }, () => cube.subarray(HEADER_BYTES)))
  const sizeBytes = HEADER_BYTES + RECORD_BYTES * triangles
  return {
    sizeBytes,
    read(target, offset) {
      const end = Math.min(sizeBytes, offset + target.length)
      for (let at = offset; at < end; ) {
        const isHeader = at < HEADER_BYTES
        const from = isHeader ? header.subarray(at) : records.subarray((at - HEADER_BYTES) % records.length)
        const part = from.subarray(0, end - at)
        target.set(part, at - offset)
        at += part.length
      }
      return Promise.resolve(end - offset)
    },
  }
}

describe('reading a model', () => {
  it('T70 reading an STL of 200 MB takes as much memory as reading an STL of 10 MB', async () => {
    const read = async (triangles: number) => {
      const meter = createSurfaceMeter()
      const before = process.memoryUsage()
      const verdict = await readModel(endlessCubes(triangles), meter.add)
      expect(verdict).toMatchObject({ ok: true, format: 'stl', triangles })
      const after = process.memoryUsage()
      return { grown: after.rss - before.rss, volumeMm3: meter.finish().volumeMm3 }
    }
    await read(199_992)
    const { grown, volumeMm3 } = await read(4_000_008)
    console.log(`T70 memory grew by ${Math.round(grown / 1e6)} MB over an STL of 200 MB`)
    expect(grown).toBeLessThan(50e6)
    expect(volumeMm3 / (8000 * 333_334)).toBeCloseTo(1, 6)
  })

  it('a disk error is not reported as an invalid model', async () => {
    for (const bytes of [writeBinaryStl(createCube()), build3mf()]) {
      let reads = 0
      const failing: ByteSource = {
        sizeBytes: bytes.length,
        read(target, offset) {
          if (++reads > 1) return Promise.reject(new Error('EIO: i/o error'))
          const part = bytes.subarray(offset, offset + target.length)
          target.set(part)
          return Promise.resolve(part.length)
        },
      }
      await expect(readModel(failing, () => {})).rejects.toThrow('EIO')
    }
  })

  it('a model file that gets shorter while it is read is reported as truncated', async () => {
    const bytes = build3mf()
    const shrunk: ByteSource = {
      sizeBytes: bytes.length,
      read(target, offset) {
        const part = bytes.subarray(offset, Math.min(offset + target.length, bytes.length - 100))
        target.set(part)
        return Promise.resolve(part.length)
      },
    }
    expect(await readModel(shrunk, () => {})).toMatchObject({ ok: false, code: 'bad-archive' })
  })

  it('a model can be read from a file on disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-'))
    try {
      const path = join(folder, 'model')
      await writeFile(path, build3mf())
      const source = await openFileSource(path)
      try {
        expect(await readModel(source, () => {})).toMatchObject({ ok: true, format: '3mf', triangles: 12 })
      } finally {
        await source.close()
      }
      await expect(openFileSource(join(folder, 'missing'))).rejects.toThrow('ENOENT')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

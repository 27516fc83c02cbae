import { parentPort, workerData } from 'node:worker_threads'
import type { ByteSource } from '../../src/byte-source.ts'
import { readSlicedFile } from '../../src/gcode/read-sliced-file.ts'
import type { LargeGcode, LargeGcodeReport } from './large-gcode.ts'

const { head, line, tail, sizeBytes } = workerData as LargeGcode
const encoder = new TextEncoder()
const start = encoder.encode(head)
const end = encoder.encode(tail)
const lines = encoder.encode(line.repeat(Math.ceil(1_000_000 / line.length)))
let readBytes = 0
let mostBufferBytes = 0

/** A source that creates the bytes of the large file when they are read, so that the whole file never exists. */
const source: ByteSource = {
  sizeBytes,
  read(target, offset) {
    const length = Math.min(target.length, sizeBytes - offset)
    for (let at = 0; at < length; ) {
      const from = (offset + at) % lines.length
      const part = lines.subarray(from, Math.min(lines.length, from + length - at))
      target.set(part, at)
      at += part.length
    }
    if (offset < start.length) target.set(start.subarray(offset, offset + length))
    const toEnd = sizeBytes - end.length - offset
    if (toEnd < length) target.set(end.subarray(Math.max(0, -toEnd)), Math.max(0, toEnd))
    readBytes += length
    mostBufferBytes = Math.max(mostBufferBytes, process.memoryUsage().arrayBuffers)
    return Promise.resolve(length)
  },
}

const before = process.threadCpuUsage()
const file = await readSlicedFile(source)
mostBufferBytes = Math.max(mostBufferBytes, process.memoryUsage().arrayBuffers)
const { user, system } = process.threadCpuUsage(before)
const plate = file.ok ? file.plates[0] : null
const report: LargeGcodeReport = {
  grams: plate?.grams ?? null,
  pictures: plate?.pictures.length ?? 0,
  readBytes,
  mostBufferBytes,
  cpuMs: (user + system) / 1000,
}
parentPort!.postMessage(report)

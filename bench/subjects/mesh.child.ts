// Runs one job on one model file in its own process, so that the memory of the job can be measured.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { createSurfaceMeter } from '@pegasus/mesh/measure/measure'
import { parseStl } from '@pegasus/mesh/stl/parse-stl'
import { renderThumbnail } from '@pegasus/mesh/render/thumbnail'
import { createStlInspector } from '@pegasus/mesh/stl/stl-inspector'
import { createStlReader } from '@pegasus/mesh/stl/stl-reader'
import { analyzeTopology } from '@pegasus/mesh/topology/topology'
import { createTriangleCollector } from '@pegasus/mesh/triangle-collector'
import { createWelder } from '@pegasus/mesh/topology/weld'
import { requireFrom } from '../lib/workspace-packages.ts'

const PICTURE_SIZE_PX = 480
const CHUNK_RECORDS = 20_000

export type MeshTask =
  | 'streamed'
  | 'inspect'
  | 'meter'
  | 'parse'
  | 'check'
  | 'picture'
  | 'three'
  | 'threeParse'
/** The time of each run except the first in milliseconds, and the peak memory in MB. */
export interface MeshResult {
  runsMs: number[]
  peakMb: number
  /** The result of the job, such as a volume, by which jobs are compared. */
  fact: number
}

interface StlLoader {
  parse(data: ArrayBufferLike): { getAttribute(name: string): { count: number } }
}

function readChunks(path: string, take: (bytes: Buffer) => void): void {
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(CHUNK_RECORDS * 50)
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
    take(buffer.subarray(0, size))
  closeSync(file)
}

/** Does the minimum work for bounding box, volume and area: reads the bytes once, and keeps none of them. */
function streamedPass(path: string): number {
  const file = openSync(path, 'r')
  readSync(file, Buffer.alloc(84))
  const bytes = Buffer.alloc(CHUNK_RECORDS * 50)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  let [volume, area] = [0, 0]
  for (let size = readSync(file, bytes); size > 0; size = readSync(file, bytes)) {
    let [minX, minY, minZ, maxX, maxY, maxZ] = box as [number, number, number, number, number, number]
    for (let at = 12; at < size; at += 50) {
      const ax = view.getFloat32(at, true)
      const ay = view.getFloat32(at + 4, true)
      const az = view.getFloat32(at + 8, true)
      const bx = view.getFloat32(at + 12, true)
      const by = view.getFloat32(at + 16, true)
      const bz = view.getFloat32(at + 20, true)
      const cx = view.getFloat32(at + 24, true)
      const cy = view.getFloat32(at + 28, true)
      const cz = view.getFloat32(at + 32, true)
      if (ax < minX) minX = ax
      if (bx < minX) minX = bx
      if (cx < minX) minX = cx
      if (ay < minY) minY = ay
      if (by < minY) minY = by
      if (cy < minY) minY = cy
      if (az < minZ) minZ = az
      if (bz < minZ) minZ = bz
      if (cz < minZ) minZ = cz
      if (ax > maxX) maxX = ax
      if (bx > maxX) maxX = bx
      if (cx > maxX) maxX = cx
      if (ay > maxY) maxY = ay
      if (by > maxY) maxY = by
      if (cy > maxY) maxY = cy
      if (az > maxZ) maxZ = az
      if (bz > maxZ) maxZ = bz
      if (cz > maxZ) maxZ = cz
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
      volume += ax * nx + ay * ny + az * nz
      area += Math.sqrt(nx * nx + ny * ny + nz * nz)
    }
    box.splice(0, 6, minX, minY, minZ, maxX, maxY, maxZ)
  }
  closeSync(file)
  return area > 0 ? volume / 6 : 0
}

function inspect(path: string): number {
  const inspector = createStlInspector()
  readChunks(path, (bytes) => inspector.push(bytes))
  const verdict = inspector.finish()
  return verdict.ok ? verdict.triangles : 0
}

/** Computes the bounding box, volume and area while reading the file, as the analysis does. */
function meter(path: string): number {
  const surface = createSurfaceMeter()
  const reader = createStlReader((block, count) => surface.add(block, count))
  readChunks(path, (bytes) => reader.push(bytes))
  if (!reader.finish().ok) throw new Error('not an STL')
  return surface.finish().volumeMm3
}

/**
 * Checks the edges as the analysis does: equal corners are merged while the file is read, and only their
 * indices are kept.
 */
function check(path: string): number {
  const welder = createWelder(Math.floor(statSync(path).size / 50))
  const reader = createStlReader(welder.sink)
  readChunks(path, (bytes) => reader.push(bytes))
  if (!reader.finish().ok) throw new Error('not an STL')
  return analyzeTopology(welder.finish()).openEdges
}

/** Keeps all triangles in memory, but not the bytes of the file. The analysis does this when it draws a picture. */
function collect(path: string): Float32Array {
  const mesh = createTriangleCollector(Math.floor(statSync(path).size / 50))
  const reader = createStlReader(mesh.sink)
  readChunks(path, (bytes) => reader.push(bytes))
  if (!reader.finish().ok) throw new Error('not an STL')
  return mesh.positions()
}

function parse(path: string): Float32Array<ArrayBuffer> {
  const parsed = parseStl(readFileSync(path))
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.positions
}

/**
 * Returns the peak memory of this process in MB. On Linux, it does not include the memory that the parent had at the
 * fork.
 */
function peakMemoryMb(): number {
  try {
    const peakKb = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (peakKb) return Number(peakKb) / 1024
  } catch {
    // Only Linux has this file.
  }
  return process.resourceUsage().maxRSS / 1024
}

async function loadStlLoader(): Promise<new () => StlLoader> {
  const address = requireFrom('web').resolve('three/addons/loaders/STLLoader.js')
  return ((await import(address)) as { STLLoader: new () => StlLoader }).STLLoader
}

async function prepare(task: MeshTask, path: string): Promise<() => number> {
  switch (task) {
    case 'streamed':
      return () => streamedPass(path)
    case 'inspect':
      return () => inspect(path)
    case 'meter':
      return () => meter(path)
    case 'parse':
      return () => parse(path).length / 9
    case 'check':
      return () => check(path)
    case 'picture':
      return () => renderThumbnail(collect(path), { sizePx: PICTURE_SIZE_PX }).width
    case 'three': {
      const STLLoader = await loadStlLoader()
      return () => new STLLoader().parse(readFileSync(path).buffer).getAttribute('position').count / 3
    }
    case 'threeParse': {
      const STLLoader = await loadStlLoader()
      const { buffer } = readFileSync(path)
      return () => new STLLoader().parse(buffer).getAttribute('position').count / 3
    }
  }
}

const [task, path = '', runs = '3'] = process.argv.slice(2)
const work = await prepare(task as MeshTask, path)
const runsMs: number[] = []
let fact = work()
for (let run = 0; run < Number(runs); run += 1) {
  const startedAt = performance.now()
  fact = work()
  runsMs.push(performance.now() - startedAt)
}
const result: MeshResult = { runsMs, peakMb: peakMemoryMb(), fact }
process.send!(result)
process.disconnect()

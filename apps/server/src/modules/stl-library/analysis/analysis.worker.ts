import { open } from 'node:fs/promises'
import { createSurfaceMeter, withTopology } from '@pegasus/mesh/measure'
import { createTriangleSampler, renderThumbnail } from '@pegasus/mesh/render'
import { createStlReader } from '@pegasus/mesh/stl-reader'
import type { Rejection, StlSummary, TriangleSink } from '@pegasus/mesh/stl-types'
import { examineTopology } from '@pegasus/mesh/topology'
import { meshWarnings, streamedWarnings } from '@pegasus/mesh/warnings'
import { weldVertices } from '@pegasus/mesh/weld'
import { MAX_CHECKED_TRIANGLES, SAMPLED_TRIANGLES } from './analysis-limits.ts'
import type { AnalysisRequest, MeasureResult, PictureResult } from './analysis.protocol.ts'

const CHUNK_BYTES = 1024 * 1024

/** Measures a stored model or draws its picture. Runs in a worker thread. */
export default async function analyse(request: AnalysisRequest): Promise<MeasureResult | PictureResult> {
  return request.work === 'measure' ? measure(request) : draw(request)
}

async function measure(request: AnalysisRequest & { work: 'measure' }): Promise<MeasureResult> {
  const meter = createSurfaceMeter()
  const mesh = request.triangles <= MAX_CHECKED_TRIANGLES ? createCollector(request.triangles) : null
  const verdict = await readStl(request.path, (block, count) => {
    meter.add(block, count)
    mesh?.sink(block, count)
  })
  if (!verdict.ok) return { ok: false, reason: verdict.message }
  const surface = meter.finish()
  const { triangles, boundingBox: boundingBoxMm, surfaceAreaMm2 } = surface
  const common = { triangles, boundingBoxMm, surfaceAreaMm2 }
  if (!mesh) {
    const volumeMm3 = surface.isVolumeIndependent ? surface.volumeMm3 : null
    const warnings = streamedWarnings(surface, request.warnings)
    return { ok: true, measures: { ...common, volumeMm3, isWatertight: null, shells: null, warnings } }
  }
  const whole = withTopology(surface, examineTopology(weldVertices(mesh.positions())))
  const { isWatertight, shells } = whole
  const volumeMm3 = whole.isVolumeTrusted ? whole.volumeMm3 : null
  const warnings = meshWarnings(whole, request.warnings)
  return { ok: true, measures: { ...common, volumeMm3, isWatertight, shells, warnings } }
}

async function draw(request: AnalysisRequest & { work: 'picture' }): Promise<PictureResult> {
  const mesh =
    request.triangles <= MAX_CHECKED_TRIANGLES
      ? createCollector(request.triangles)
      : createTriangleSampler(request.surfaceAreaMm2, SAMPLED_TRIANGLES)
  const verdict = await readStl(request.path, mesh.sink)
  if (!verdict.ok) return { ok: false, reason: verdict.message }
  // Plain pixels: this thread may be ended at any moment, and native code that is running then ends the process.
  return { ok: true, ...renderThumbnail(mesh.positions(), { sizePx: request.sizePx }) }
}

/** Reads a file a chunk at a time; the file itself is never held. */
async function readStl(path: string, sink: TriangleSink): Promise<Rejection | StlSummary> {
  const reader = createStlReader(sink)
  const file = await open(path)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null)
      if (bytesRead === 0) return reader.finish()
      const rejection = reader.push(chunk.subarray(0, bytesRead))
      if (rejection) return rejection
    }
  } finally {
    await file.close()
  }
}

/** Keeps all triangles; `count` is how many the upload found. */
function createCollector(count: number) {
  const positions = new Float32Array(9 * count)
  let length = 0
  const sink: TriangleSink = (block, added) => {
    positions.set(block.subarray(0, 9 * added), length)
    length += 9 * added
  }
  return { sink, positions: () => positions.subarray(0, length) }
}

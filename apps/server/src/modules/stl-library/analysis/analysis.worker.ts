import { openFileSource } from '@pegasus/mesh/file-source'
import { createSurfaceMeter, withTopology } from '@pegasus/mesh/measure/measure'
import { createPreviewBuilder, previewPositions } from '@pegasus/mesh/render/preview-mesh'
import { type ModelSummary, readModel } from '@pegasus/mesh/read-model'
import { createTriangleSampler } from '@pegasus/mesh/render/thumbnail'
import { createShapeMeter } from '@pegasus/mesh/measure/shape-signature'
import type { Rejection, TriangleSink } from '@pegasus/mesh/types'
import { analyzeTopology } from '@pegasus/mesh/topology/topology'
import { createTriangleCollector } from '@pegasus/mesh/triangle-collector'
import { renderBothSides, renderTurntable } from '@pegasus/mesh/render/views'
import { meshWarnings, streamedWarnings } from '@pegasus/mesh/measure/mesh-warnings'
import { ACCEPTED_ZIP_LIMITS } from '@pegasus/mesh/zip/limits'
import { createWelder } from '@pegasus/mesh/topology/weld'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { MAX_CHECKED_TRIANGLES, PREVIEW_TRIANGLES, SAMPLED_TRIANGLES } from './analysis-limits.ts'
import type { AnalysisRequest, MeasureResult, PictureResult, TurntableResult } from './analysis.protocol.ts'

/** Measures a stored model or draws its pictures. Runs in a worker thread. */
export default async function analyze(
  request: AnalysisRequest,
): Promise<MeasureResult | PictureResult | TurntableResult> {
  switch (request.work) {
    case 'measure':
      return measure(request)
    case 'picture':
      return draw(request)
    case 'turntable':
      return turn(request)
  }
}

async function measure(request: AnalysisRequest & { work: 'measure' }): Promise<MeasureResult> {
  const meter = createSurfaceMeter()
  const shape = createShapeMeter()
  const welder = request.triangles <= MAX_CHECKED_TRIANGLES ? createWelder(request.triangles) : null
  const verdict = await read(request.path, (block, count) => {
    meter.add(block, count)
    shape.sink(block, count)
    welder?.sink(block, count)
  })
  if (!verdict.ok) return { ok: false, reason: verdict.message }
  const surface = meter.finish()
  const { triangles, boundingBox: boundingBoxMm, surfaceAreaMm2 } = surface
  const common = { triangles, boundingBoxMm, surfaceAreaMm2, shapeHash: shape.finish().hash }
  if (!welder) {
    const volumeMm3 = surface.isVolumeIndependent ? surface.volumeMm3 : null
    const warnings = streamedWarnings(surface, request.warnings)
    return { ok: true, measures: { ...common, volumeMm3, isWatertight: null, shells: null, warnings } }
  }
  const whole = withTopology(surface, analyzeTopology(welder.finish()))
  const { isWatertight, shells } = whole
  const volumeMm3 = whole.isVolumeTrusted ? whole.volumeMm3 : null
  const warnings = meshWarnings(whole, request.warnings)
  return { ok: true, measures: { ...common, volumeMm3, isWatertight, shells, warnings } }
}

// Return plain pixels and encode them elsewhere. This thread may be terminated at any moment. Terminating it inside
// native code, such as an image encoder, would end the whole process.
async function draw({
  path,
  surface,
  sizePx,
}: AnalysisRequest & { work: 'picture' }): Promise<PictureResult> {
  const mesh =
    surface.triangles <= MAX_CHECKED_TRIANGLES
      ? createTriangleCollector(surface.triangles)
      : createTriangleSampler(surface.surfaceAreaMm2, SAMPLED_TRIANGLES)
  const preview = createPreviewBuilder(surface, PREVIEW_TRIANGLES)
  const verdict = await read(path, (block, count) => {
    mesh.sink(block, count)
    preview.sink(block, count)
  })
  if (!verdict.ok) return { ok: false, reason: verdict.message }
  return {
    ok: true,
    ...renderBothSides(mesh.positions(), sizePx),
    preview: writeBinaryStl(previewPositions(preview.finish())),
    embedded: verdict.picture?.bytes ?? null,
  }
}

async function turn(request: AnalysisRequest & { work: 'turntable' }): Promise<TurntableResult> {
  const mesh = createTriangleCollector(PREVIEW_TRIANGLES)
  const verdict = await read(request.path, mesh.sink)
  if (!verdict.ok) return { ok: false, reason: verdict.message }
  return { ok: true, strip: renderTurntable(mesh.positions(), request) }
}

/** Reads a file of any format; the format is detected from its content. */
async function read(path: string, sink: TriangleSink): Promise<Rejection | ModelSummary> {
  const source = await openFileSource(path)
  try {
    return await readModel(source, sink, ACCEPTED_ZIP_LIMITS)
  } finally {
    await source.close()
  }
}

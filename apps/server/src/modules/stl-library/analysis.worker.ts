import { readFile } from 'node:fs/promises'
import { measureMesh } from '@pegasus/mesh/measure'
import { parseStl } from '@pegasus/mesh/parse-stl'
import { renderThumbnail } from '@pegasus/mesh/render'
import { meshWarnings } from '@pegasus/mesh/warnings'
import sharp from 'sharp'
import type { AnalysisRequest, AnalysisResult } from './analysis.protocol.ts'

const WEBP_QUALITY = 86

async function renderPicture(positions: Float32Array, sizePx: number): Promise<Uint8Array> {
  const { width, height, rgba } = renderThumbnail(positions, { sizePx })
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .webp({ quality: WEBP_QUALITY })
    .toBuffer()
}

/** Measures a stored model and draws its picture. Runs in a worker thread. */
export default async function analyse(request: AnalysisRequest): Promise<AnalysisResult> {
  const parsed = parseStl(await readFile(request.path))
  if (!parsed.ok) return { ok: false, reason: parsed.message }
  const measures = measureMesh(parsed.positions)
  return {
    ok: true,
    triangles: measures.triangles,
    boundingBoxMm: measures.boundingBox,
    volumeMm3: measures.isVolumeTrusted ? measures.volumeMm3 : null,
    surfaceAreaMm2: measures.surfaceAreaMm2,
    isWatertight: measures.isWatertight,
    shells: measures.shells,
    warnings: meshWarnings(measures, request.warnings),
    picture: await renderPicture(parsed.positions, request.pictureSizePx),
  }
}

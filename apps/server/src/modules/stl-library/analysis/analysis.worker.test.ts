import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemorySource } from '@pegasus/mesh/byte-source'
import { readModel } from '@pegasus/mesh/read-model'
import { expect, it, onTestFinished } from 'vitest'
import { aDamagedModel } from '../../../../../../packages/mesh/test/fuzz-models.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { createAnalysisWorkers } from '../index.ts'
import type { AnalysisRequest, MeasureResult, PictureResult } from './analysis.protocol.ts'

const RUNS = 300
const DEADLINE_MS = 30_000

it('T69 the worker thread survives measuring and drawing damaged models of every format', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pegasus-test-damaged-'))
  const workers = createAnalysisWorkers(silentLog)
  onTestFinished(async () => {
    await workers.close()
    await rm(folder, { recursive: true })
  })
  const path = join(folder, 'model')
  const ask = <T>(request: AnalysisRequest) => workers.run<T>(request, { deadlineMs: DEADLINE_MS })
  const next = aDamagedModel(66)
  const faults: string[] = []
  let [sound, drawn] = [0, 0]
  for (let run = 0; run < RUNS; run += 1) {
    const bytes = next()
    const summary = await readModel(createMemorySource(bytes), () => {})
    const triangles = summary.ok ? summary.triangles : 1_000
    await writeFile(path, bytes)
    try {
      const measured = await ask<MeasureResult>({ work: 'measure', path, triangles, warnings: [] })
      if (measured.ok !== summary.ok) faults.push(`run ${run}: judged otherwise than on upload`)
      if (!measured.ok) continue
      sound += 1
      const { boundingBoxMm: boundingBox, surfaceAreaMm2, shapeHash } = measured.measures
      if (!shapeHash.startsWith('s1.')) faults.push(`run ${run}: ${shapeHash}`)
      const surface = { triangles, boundingBox, surfaceAreaMm2 }
      const picture = await ask<PictureResult>({ work: 'picture', path, surface, sizePx: 32 })
      if (picture.ok) drawn += 1
      else faults.push(`run ${run}: ${picture.reason}`)
    } catch (error) {
      faults.push(`run ${run}: ${String(error)}`)
    }
  }
  console.info(
    `T69 damaged models through the analysis, faults ${faults.length} of ${RUNS}; sound ${sound}, drawn ${drawn}`,
  )
  expect(faults).toEqual([])
  expect(sound).toBeGreaterThan(20)
  expect(drawn).toBe(sound)
}, 600_000)

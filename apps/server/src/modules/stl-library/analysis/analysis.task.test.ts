import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import { insertWaitingModel } from '../../../../test/support/library/waiting-model.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { DeadlineError, OutOfMemoryError, type WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { LARGE_TRIANGLES } from './analysis-limits.ts'
import type { AnalysisRequest, MeasureResult } from './analysis.protocol.ts'
import { analysisTaskOf, createAnalysisTasks } from './analysis.task.ts'

const MEASURED: MeasureResult = {
  ok: true,
  measures: {
    triangles: 12,
    boundingBoxMm: { min: [0, 0, 0], max: [1, 1, 1], size: [1, 1, 1] },
    volumeMm3: 1,
    surfaceAreaMm2: 6,
    isWatertight: true,
    shells: 1,
    warnings: [],
    shapeHash: 's1.a',
  },
}

/** Inserts a model that waits for its analysis. `answer` stands in for the worker. */
async function aWaitingModel(answer: (request: AnalysisRequest) => unknown) {
  const app = await buildTestApp()
  const sha256 = 'a'.repeat(64)
  const viewer = await app.as('viewer')
  await app.storage.put(`models/${sha256}`, new Blob(['x']).stream())
  const { id, versionId } = await insertWaitingModel(app, { sha256, sizeBytes: 1 })
  const workers = { run: async (request: AnalysisRequest) => answer(request) } as unknown as WorkerPool
  const [task] = createAnalysisTasks({
    database: app.database,
    storage: app.storage,
    workers,
    onAnalyzed: async () => {},
  })
  return {
    run: () => task?.run({ versionId }, { signal: new AbortController().signal, attempt: 1, log: silentLog }),
    fail: () => task?.onFailed?.({ versionId }, new Error('all attempts failed')),
    read: async () => (await app.http.inject({ url: `/api/stl-files/${id}`, headers: viewer })).json<Model>(),
  }
}

const codes = (model: Model): string[] => model.warnings.map((warning) => warning.code)

it.each([
  { name: 'takes too long', error: new DeadlineError('late') },
  { name: 'needs too much memory', error: new OutOfMemoryError('much') },
  { name: 'asks for an array that no machine has', error: new RangeError('Array buffer allocation failed') },
])('the analysis of a model whose picture $name keeps the measures and is not retried', async ({ error }) => {
  const model = await aWaitingModel(({ work }) => {
    if (work === 'picture') throw error
    return MEASURED
  })
  await model.run()
  const found = await model.read()
  expect(found).toMatchObject({ analysis_status: 'done', triangles: 12, volume_mm3: 1, thumbnail_path: null })
  expect(codes(found)).toEqual(['no_picture'])
})

it('a model that takes too long to measure fails without a retry, with a warning that gives the reason', async () => {
  const model = await aWaitingModel(() => {
    throw new DeadlineError('late')
  })
  await model.run()
  const found = await model.read()
  expect(found).toMatchObject({ analysis_status: 'failed', volume_mm3: null })
  expect(codes(found)).toEqual(['analysis_failed'])
})

it('an analysis that loses its worker is retried and does not measure the model twice', async () => {
  const asked: string[] = []
  const model = await aWaitingModel(({ work }) => {
    asked.push(work)
    if (work === 'picture') throw new Error('the thread was ended')
    return MEASURED
  })
  await expect(model.run()).rejects.toThrow('the thread was ended')
  expect(await model.read()).toMatchObject({ analysis_status: 'pending', volume_mm3: 1 })
  await expect(model.run()).rejects.toThrow('the thread was ended')
  expect(asked).toEqual(['measure', 'picture', 'picture'])
  await model.fail()
  expect(await model.read()).toMatchObject({ analysis_status: 'done', volume_mm3: 1 })
})

it('large and small models are analyzed by different tasks', () => {
  expect(analysisTaskOf(12)).not.toBe(analysisTaskOf(LARGE_TRIANGLES))
})

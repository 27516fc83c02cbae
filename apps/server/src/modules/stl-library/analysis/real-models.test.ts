import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import {
  inMillimeters,
  loadModels,
  type CorpusModel,
} from '../../../../../../packages/mesh/test/model-source.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'

const { source, models } = loadModels(/\.(stl|3mf|obj)$/i)

/** Time limit for the whole test: the models are measured and drawn one after the other. */
const TIMEOUT_MS = 300_000

const isRefused = (model: CorpusModel): boolean => model.truth['expect']?.startsWith('reject') ?? false
const mustWarn = (model: CorpusModel): boolean => model.truth['expect'] === 'accept+warn'

/**
 * Returns the differences between the measured values of a model and the ground truth. The list is empty if
 * they agree.
 */
function problemsOf(model: CorpusModel, stored: Model): string[] {
  const { file } = model
  const truth = inMillimeters(model.truth)
  const problems: string[] = []
  const check = (isRight: boolean, what: string) => {
    if (!isRight) problems.push(`${file}: ${what}`)
  }
  check(stored.analysis_status === 'done', `analysis ${stored.analysis_status}`)
  if (truth['triangles'])
    check(stored.triangles === Number(truth['triangles']), `${stored.triangles} triangles`)
  if (truth['closed'])
    check(stored.is_watertight === (truth['closed'] === '1'), `watertight ${stored.is_watertight}`)
  if (truth['shells']) check(stored.shells === Number(truth['shells']), `${stored.shells} shells`)
  check(!mustWarn(model) || stored.warnings.length > 0, 'no warning')
  check(stored.thumbnail_path !== null && stored.second_thumbnail_path !== null, 'no picture')
  const isWeighed = stored.volume_mm3 !== null && stored.volume_mm3 > 0
  check((stored.print_estimate !== null) === isWeighed, `estimate ${JSON.stringify(stored.print_estimate)}`)
  const box = stored.bounding_box_mm
  const [min = [], max = []] = ['bbox_min', 'bbox_max'].map((column) => truth[column]?.split(',').map(Number))
  const diagonal = Math.hypot(...max.map((value, i) => value - (min[i] ?? 0)))
  const isBoxRight = [...min, ...max].every(
    (value, i) =>
      Math.abs(value - ([...(box?.min ?? []), ...(box?.max ?? [])][i] ?? Number.NaN)) <= 1e-5 * diagonal,
  )
  check(isBoxRight, `bounding box ${JSON.stringify(box)}`)
  const volume = Number(truth['volume'] ?? 0)
  if (truth['volume_trust'] === 'agree' && volume !== 0)
    check(Math.abs((stored.volume_mm3 ?? Number.NaN) / volume - 1) <= 1e-4, `volume ${stored.volume_mm3}`)
  if (truth['volume_trust'] === 'disagree')
    check(stored.volume_mm3 === null, `volume ${stored.volume_mm3} as a fact`)
  return problems
}

it(
  `T66 uploaded ${source} models match their manifest, and refused models are not stored`,
  async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const problems: string[] = []
    let accepted = 0
    for (const model of models) {
      const answer = await upload(app, staff, { name: model.file, bytes: model.bytes })
      const expected = isRefused(model) ? 422 : 201
      if (answer.statusCode !== expected) problems.push(`${model.file}: ${answer.statusCode} ${answer.body}`)
      else if (expected === 422 && !/^[A-Z].{15,}\.$/.test(answer.json().detail))
        problems.push(`${model.file}: no reason`)
      else if (expected === 201) {
        accepted += 1
        problems.push(...problemsOf(model, await analyzed(app, staff, answer.json<Model>().id)))
      }
    }
    const right = models.length - new Set(problems.map((problem) => problem.split(':')[0])).size
    console.info(`T66 ${source} models right over the API ${right} of ${models.length}`)
    expect(problems).toEqual([])
    expect(models.length).toBeGreaterThan(8)
    const files = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
    // Each model has at most a file, two pictures and a preview. Uploads of the same bytes share them.
    expect(files.filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(4 * accepted)
    const listed = await app.http.inject({ url: '/api/stl-files?limit=1000', headers: staff })
    expect(listed.json<Model[]>().length).toBe(accepted)
  },
  TIMEOUT_MS,
)

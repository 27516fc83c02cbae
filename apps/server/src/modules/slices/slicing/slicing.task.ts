import { constants, open } from 'node:fs/promises'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../platform/tasks/tasks.ts'
import { actorOfColumns } from '../../../platform/actor.ts'
import { publish } from '../../events/index.ts'
import { type SlicerLimits, SlicerError, modelPath, sliceModel } from '../../stl-library/index.ts'
import { sliceFileName } from '../upload/receive-slices.ts'
import type { ReadSlice } from '../upload/slice-reader.ts'
import type { StoreSlices } from '../upload/store-slices.ts'
import { settingsOfRun } from './read-settings.ts'
import {
  type SlicingToRun,
  endSlicing,
  reopenSlicing,
  findSlicingState,
  findSlicingToRun,
  listPendingSlicings,
} from './slicings.queries.ts'
import { sentenceOf } from './slicer-sentences.ts'

export const SLICING_TASK = 'slices.slice-model'

const LOOK_FOR_CANCEL_MS = SECOND_MS
const GIVEN_UP = 'The server stopped several times while it sliced this model. Please try again.'

interface SlicingTask {
  runId: string
}

export interface SlicingTaskDeps {
  database: Database
  clock: Clock
  storage: ObjectStorage
  readSlice: ReadSlice
  store: StoreSlices
  program: string
  limits: SlicerLimits
}

/**
 * Creates the task that slices a model with a profile and stores the result as a sliced file of the version. If the
 * task runs twice, the result is stored once.
 */
export function createSlicingTask(deps: SlicingTaskDeps): TaskDefinition<SlicingTask> {
  const { database, clock, limits } = deps

  const fail = (run: Pick<SlicingToRun, 'id' | 'stl_file_id'>, detail: string): Promise<void> =>
    database.transaction(async (tx) => {
      if (await endSlicing(tx, run.id, { state: 'failed', detail, now: clock.now() }))
        await publish(tx, { type: 'updated', entity: 'slice', id: run.stl_file_id })
    })

  return {
    name: SLICING_TASK,
    deadlineSeconds: (limits.deadlineMs + 2 * MINUTE_MS) / 1000,
    // If the process is killed, another process continues its task.
    retryLimit: 2,

    async run({ runId }, { signal, log }) {
      const run = await findSlicingToRun(database.sql, runId)
      if (run?.state !== 'pending') return
      const cancelled = new AbortController()
      const watch = setInterval(() => {
        findSlicingState(database.sql, runId).then(
          (state) => state !== 'pending' && cancelled.abort(),
          () => undefined,
        )
      }, LOOK_FOR_CANCEL_MS)
      try {
        await slice(deps, run, AbortSignal.any([signal, cancelled.signal]))
      } catch (error) {
        if (cancelled.signal.aborted) return
        signal.throwIfAborted()
        const sentence = sentenceOf(error, limits)
        if (sentence === null) throw error
        log.warn({ err: error, slicing: runId }, 'a model could not be sliced')
        await fail(run, sentence)
      } finally {
        clearInterval(watch)
      }
    },

    listOpen: async () => (await listPendingSlicings(database.sql)).map((runId) => ({ runId })),

    async onFailed({ runId }) {
      const run = await findSlicingToRun(database.sql, runId)
      if (run) await fail(run, GIVEN_UP)
    },

    async describe(sql, { runId }) {
      const run = await findSlicingToRun(sql, runId)
      return run && { name: run.title, path: modelPath(run.stl_file_id) }
    },

    async reopen(tx, { runId }) {
      const modelId = await reopenSlicing(tx, runId)
      if (modelId === null) return null
      await publish(tx, { type: 'updated', entity: 'slice', id: modelId })
      return { runId }
    },
  }
}

async function slice(deps: SlicingTaskDeps, run: SlicingToRun, signal: AbortSignal): Promise<void> {
  const { storage, program, limits } = deps
  const order = { settings: settingsOfRun(run.settings, run.printer_model), copies: run.pieces }
  await storage.withLocalFile(run.object_key, (path) =>
    sliceModel(program, { path, format: run.format }, { order, signal, limits }, (output) =>
      keep(deps, run, output),
    ),
  )
}

/** Stores the result. Stores nothing if the slicing was cancelled in the meantime. */
async function keep(
  { storage, readSlice, store, clock, limits }: SlicingTaskDeps,
  run: SlicingToRun,
  output: string,
): Promise<void> {
  const pending = await storage.begin('own')
  try {
    // Do not follow links: a program that leaves a link as its result must not make us read another file.
    const file = await open(output, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: Error) => {
      throw new SlicerError(`It made nothing: ${cause.message}`, { cause, kind: 'empty' })
    })
    const stat = await file.stat()
    if (!stat.isFile() || stat.size === 0 || stat.size > limits.maxOutputBytes) {
      await file.close()
      throw new SlicerError('Its result is no file.', { kind: 'empty' })
    }
    for await (const chunk of file.createReadStream()) await pending.write(chunk as Buffer)
    const content = await pending.withLocalFile(readSlice)
    const fileName = sliceFileName(`${run.title} ${run.profile_name}.gcode`, content.format)
    const audit = { actor: actorOfColumns(run), now: clock.now() }
    const target = {
      modelId: run.stl_file_id,
      versionId: run.stl_version_id,
      versionNumber: null,
      pieces: run.pieces,
      needsAllPlates: null,
    }
    await store.fromTask([{ fileName, content, pending }], target, audit, async (tx, [sliceId = null]) => {
      if (!(await endSlicing(tx, run.id, { state: 'done', sliceId, now: audit.now })))
        throw new AppError('SLICING_NOT_FOUND')
      await publish(tx, { type: 'updated', entity: 'slice', id: run.stl_file_id })
    })
  } finally {
    await pending.abort()
  }
}

import { Readable } from 'node:stream'
import { type Clock, HOUR_MS, addMs } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/database/database.ts'
import type { ObjectStorage } from '../../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../../platform/tasks/tasks.ts'
import type { WorkerPool } from '../../../../platform/workers/worker-pool.ts'
import { publish } from '../../../events/index.ts'
import { lockBytes } from '../../upload/upload.queries.ts'
import type { AnalysisRequest, TurntableResult } from '../analysis.protocol.ts'
import { modelPath } from '../../models/model-path.ts'
import {
  findModelOfBytes,
  findVersionToTurn,
  reopenTurntable,
  saveTurntable,
  saveTurntableFailure,
} from '../analysis.queries.ts'
import { createAsk } from '../ask-worker.ts'
import { encodeTurntable } from './encode-picture.ts'

export const TURNTABLE_TASK = 'stl-library.turntable'

/**
 * Time before a failed drawing is tried again. The time is long enough that an overloaded machine may have
 * recovered. A model that cannot be drawn costs at most one attempt per hour.
 */
export const TURNTABLE_PAUSE_MS = HOUR_MS

const FRAME_SIZE_PX = 288
const FRAMES = 24
const TURNTABLE_VERSION = 1

interface TurntableTaskData {
  sha256: string
}

/**
 * Draws the turntable of a model from its preview mesh, which takes the same time for models of every size.
 * Results are stored once, by content. Failures are recorded; otherwise a waiting viewer would request the
 * turntable again and again.
 */
export function createTurntableTask(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  workers: WorkerPool
}): TaskDefinition<TurntableTaskData> {
  const { database, clock, storage } = deps
  const giveUp = (sha256: string) => saveTurntableFailure(database.sql, sha256, clock.now())
  const ask = createAsk<AnalysisRequest>(deps.workers, 'The turntable could not be drawn in time.')
  return {
    name: TURNTABLE_TASK,
    deadlineSeconds: 120,
    retryLimit: 1,

    async run({ sha256 }, { signal, log }) {
      const version = await findVersionToTurn(database.sql, sha256, addMs(clock.now(), -TURNTABLE_PAUSE_MS))
      if (!version) return
      const result = await storage.withLocalFile(version.preview_key, (path) =>
        ask<TurntableResult>({ work: 'turntable', path, sizePx: FRAME_SIZE_PX, frames: FRAMES }, signal),
      )
      if (!result.ok) {
        log.warn({ sha256, reason: result.reason }, 'no turntable')
        return giveUp(sha256)
      }
      const key = `turntables/${sha256}-v${TURNTABLE_VERSION}.webp`
      await storage.put(key, Readable.from([await encodeTurntable(result.strip)]))
      await database.transaction(async (tx) => {
        await lockBytes(tx, sha256)
        for (const id of await saveTurntable(tx, sha256, key))
          await publish(tx, { type: 'updated', entity: 'stl_file', id })
      })
    },

    onFailed: ({ sha256 }) => giveUp(sha256),

    async describe(sql, { sha256 }) {
      const model = await findModelOfBytes(sql, sha256)
      return model && { name: model.title, path: modelPath(model.id) }
    },

    reopen: async (tx, { sha256 }) => ((await reopenTurntable(tx, sha256)) ? { sha256 } : null),
  }
}

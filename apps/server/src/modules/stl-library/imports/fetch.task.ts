import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { DOWNLOAD_LIMITS, type Download, type SafeFetch } from '../../../platform/outbound/safe-fetch.ts'
import type { TaskDefinition } from '../../../platform/tasks/tasks.ts'
import { writeMalware } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { downloadFileName } from '../upload/file-name.ts'
import type { StoreModel } from '../upload/store-model.ts'
import { type Received, type ReceiveDeps, abortReceived, receiveBytes } from '../upload/receive-bytes.ts'
import { GIVEN_UP, sentenceOf } from './import-fault.ts'
import { storeArchive } from './store-archive.ts'
import {
  type ImportRow,
  describeImport,
  findImport,
  findUploader,
  listUnderWay,
  lockImport,
  updateImport,
} from './imports.queries.ts'
import type { Recognize } from './match-archive-entries.ts'
import { type Progress, UnwantedError, whileWanted } from './watch-import.ts'

export const FETCH_TASK = 'stl-library.fetch'

/** Time for the longest download, plus time to store the file. */
const DEADLINE_SECONDS = (DOWNLOAD_LIMITS.totalMs + 30 * MINUTE_MS) / SECOND_MS

export interface ImportTaskData {
  importId: string
}

/**
 * Creates the task that fetches the addresses that people entered. If it runs again, it starts over, but never adds a
 * second model.
 */
export function createFetchTask(
  deps: ReceiveDeps & {
    database: Database
    clock: Clock
    fetcher: SafeFetch
    keep: StoreModel
    recognize: Recognize
    uploadLimitBytes: number
  },
): TaskDefinition<ImportTaskData> {
  const { database, clock, storage, fetcher, keep, recognize, uploadLimitBytes } = deps

  /**
   * Locks the import and returns it. Throws UnwantedError if the import was cancelled or another run was
   * faster.
   */
  const lockWanted = async (tx: Queryable, id: string): Promise<ImportRow> => {
    const row = await lockImport(tx, id)
    if (row?.status !== 'fetching') throw new UnwantedError('The import was cancelled.')
    return row
  }

  const keepFetched = async (received: Received, row: ImportRow, url: string): Promise<void> => {
    const { id, account_id: accountId, fields } = row
    if (received.kind === 'archive') return offer(received, id)
    await keep(received, async (tx, put, { sizeBytes }) => {
      await lockWanted(tx, id)
      const actor = await findUploader(tx, accountId)
      if (!actor) throw new AppError('FORBIDDEN')
      const now = clock.now()
      const source = { url, fetchedAt: now }
      const model = await put({ id, fields, accountId, audit: { actor, now }, source })
      const bytes = { received_bytes: sizeBytes, total_bytes: sizeBytes, file_name: received.fileName }
      await updateImport(tx, id, { ...bytes, status: 'done', stl_file_id: model.id, updated_at: now })
      await publish(tx, { type: 'updated', entity: 'stl_import', id })
    })
  }

  const offer = async (archive: Extract<Received, { kind: 'archive' }>, id: string): Promise<void> => {
    const fetchedAt = clock.now()
    const kept = { archive, id, fetchedAt }
    await storeArchive({ database, storage, clock, recognize }, kept, async (tx, offer) => {
      await lockWanted(tx, id)
      await offer()
      await publish(tx, { type: 'updated', entity: 'stl_import', id })
    })
  }

  const fetchImport = async (row: ImportRow, url: string, progress: Progress, signal: AbortSignal) => {
    const download = await fetcher.open(url, { maxBytes: uploadLimitBytes, signal })
    try {
      progress.totalBytes = download.totalBytes
      const options = { fileName: downloadFileName(download), signal }
      const received = await receiveBytes(counted(download, progress), options, deps)
      try {
        signal.throwIfAborted()
        await keepFetched(received, row, url)
      } finally {
        await abortReceived(received)
      }
    } finally {
      download.close()
    }
  }

  /**
   * Ends an import. If `cause` is a finding of the malware scanner, it is recorded in the same transaction, so that it
   * cannot get lost.
   */
  const fail = (id: string, error: string, cause?: { error: unknown; accountId: string }): Promise<void> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      if (cause) {
        const actor = (await findUploader(tx, cause.accountId)) ?? SYSTEM_ACTOR
        await writeMalware(tx, cause.error, { actor, now })
      }
      const row = await lockImport(tx, id)
      if (row?.status !== 'fetching') return
      await updateImport(tx, id, { status: 'failed', error, updated_at: now })
      await publish(tx, { type: 'updated', entity: 'stl_import', id })
    })

  return {
    name: FETCH_TASK,
    concurrency: 4,
    deadlineSeconds: DEADLINE_SECONDS,
    retryLimit: 3,

    async run({ importId: id }, { signal, log }) {
      const row = await findImport(database.sql, id)
      if (row?.status !== 'fetching' || row.url === null) return
      const { url } = row
      const progress: Progress = { receivedBytes: 0, totalBytes: null }
      try {
        // Do not fetch an import of a deactivated person. This is checked again before the file is stored.
        if (!(await findUploader(database.sql, row.account_id))) throw new AppError('FORBIDDEN')
        await whileWanted({ database, clock, log }, { id, status: 'fetching', progress, signal }, (wanted) =>
          fetchImport(row, url, progress, wanted),
        )
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof UnwantedError) return
        const sentence = sentenceOf(error)
        if (sentence === null) throw error
        log.info({ err: error, importId: id }, 'an address could not be imported')
        await fail(id, sentence, { error, accountId: row.account_id })
      }
    },

    listOpen: () => listUnderWay(database.sql, 'fetching'),

    onFailed: ({ importId }) => fail(importId, GIVEN_UP),

    describe: (sql, { importId }) => describeImport(sql, importId),

    async reopen(tx, { importId: id }) {
      const row = await lockImport(tx, id)
      if (row?.status !== 'failed' || row.url === null || row.entries !== null) return null
      const fresh = { received_bytes: 0, total_bytes: null, error: null, updated_at: clock.now() }
      await updateImport(tx, id, { ...fresh, status: 'fetching' })
      await publish(tx, { type: 'updated', entity: 'stl_import', id })
      return { importId: id }
    },
  }
}

async function* counted({ body }: Download, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    progress.receivedBytes += chunk.byteLength
    yield chunk
  }
}

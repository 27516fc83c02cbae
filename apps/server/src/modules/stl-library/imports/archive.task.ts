import type { ArchiveEntry } from '@pegasus/contracts/stl-library/imports'
import { openFileSource } from '@pegasus/mesh/file-source'
import { catchRejection } from '@pegasus/mesh/rejection-error'
import { zipLimitsFor } from '@pegasus/mesh/zip/limits'
import { type OpenEntry, type ZipArchive, openZip } from '@pegasus/mesh/zip/open-zip'
import { readEntryBytes } from '@pegasus/mesh/zip/read-entry'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, MINUTE_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { ObjectNotFoundError } from '../../../platform/storage/object-storage.ts'
import type { TaskDefinition } from '../../../platform/tasks/tasks.ts'
import { writeMalware } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { displayFileName } from '../upload/file-name.ts'
import type { StoreModel } from '../upload/store-model.ts'
import { type Received, type ReceiveDeps, abortReceived, receiveBytes } from '../upload/receive-bytes.ts'
import type { ImportTaskData } from './fetch.task.ts'
import { GIVEN_UP, sentenceOf } from './import-fault.ts'
import {
  type ImportRow,
  describeImport,
  endEntry,
  findImport,
  findUploader,
  listUnderWay,
  lockImport,
  lockWaitingEntry,
  moveEntries,
  updateImport,
} from './imports.queries.ts'
import { ARCHIVE_KEPT_MS } from './store-archive.ts'
import { UnwantedError, whileWanted } from './watch-import.ts'

export const ARCHIVE_TASK = 'stl-library.unpack'

const DEADLINE_SECONDS = (60 * MINUTE_MS) / SECOND_MS
const GONE = 'The archive no longer exists. Please upload it again.'
const NESTED = 'This is an archive inside the archive. Please unpack it, and upload it separately.'

/**
 * Creates the task that turns the chosen files of an archive into models, one after the other. If it runs again, it
 * continues where the first run ended.
 */
export function createArchiveTask(
  deps: ReceiveDeps & { database: Database; clock: Clock; keep: StoreModel; uploadLimitBytes: number },
): TaskDefinition<ImportTaskData> {
  const { database, clock, storage, keep, uploadLimitBytes } = deps

  /**
   * Locks the import and returns the fields for the model of this entry. Returns null if another run has
   * already handled the entry.
   */
  const lockWaiting = async (tx: Queryable, id: string, index: number) => {
    const found = await lockWaitingEntry(tx, id, index)
    if (found === 'unwanted') throw new UnwantedError('The import was cancelled.')
    return found === 'settled' ? null : found
  }

  const publishChange = (tx: Queryable, id: string) =>
    publish(tx, { type: 'updated', entity: 'stl_import', id })

  const receive = async (archive: ZipArchive, entry: OpenEntry, signal: AbortSignal): Promise<Received> => {
    const options = { fileName: displayFileName(entry.name), signal }
    const bytes = readEntryBytes(archive, entry)
    const received = await catchRejection(async () => ({
      ok: true as const,
      file: await receiveBytes(untilAborted(bytes, signal), options, deps),
    }))
    if (!received.ok) throw new AppError('ARCHIVE_REJECTED', { text: received.message })
    return received.file
  }

  const keepEntry = async (received: Received, id: string, index: number): Promise<void> => {
    if (received.kind === 'archive') throw new AppError('ARCHIVE_REJECTED', { text: NESTED })
    await keep(received, async (tx, put) => {
      const row = await lockWaiting(tx, id, index)
      if (!row) return
      const { account_id: accountId, fields, url, fetched_at: fetchedAt } = row
      const actor = await findUploader(tx, accountId)
      if (!actor) throw new AppError('FORBIDDEN')
      const now = clock.now()
      const source =
        url === null || fetchedAt === null ? {} : { source: { url, fetchedAt: new Date(fetchedAt) } }
      const model = await put({ fields, accountId, audit: { actor, now }, ...source })
      await endEntry(tx, id, index, { status: 'done', stlFileId: model.id, error: null })
      await publishChange(tx, id)
    })
  }

  const importEntry = async (
    archive: ZipArchive,
    entry: OpenEntry | undefined,
    id: string,
    index: number,
    signal: AbortSignal,
  ) => {
    try {
      if (!entry) throw new AppError('ARCHIVE_REJECTED')
      const received = await receive(archive, entry, signal)
      try {
        signal.throwIfAborted()
        await keepEntry(received, id, index)
      } finally {
        await abortReceived(received)
      }
    } catch (error) {
      signal.throwIfAborted()
      const sentence = sentenceOf(error)
      if (error instanceof UnwantedError || sentence === null) throw error
      // A finding of the malware scanner is recorded in the transaction that ends the entry. If this transaction fails,
      // the task scans the entry again.
      await database.transaction(async (tx) => {
        const row = await lockWaiting(tx, id, index)
        const uploader = row && (await findUploader(tx, row.account_id))
        await writeMalware(tx, error, { actor: uploader ?? SYSTEM_ACTOR, now: clock.now() })
        if (!row) return
        await endEntry(tx, id, index, { status: 'failed', stlFileId: null, error: sentence })
        await publishChange(tx, id)
      })
    }
  }

  const importAll = async (row: ImportRow, path: string, signal: AbortSignal): Promise<void> => {
    const source = await openFileSource(path)
    try {
      const limits = zipLimitsFor(uploadLimitBytes)
      // `openArchive` would unpack the start of every file again, on the thread that serves requests. So the archive is
      // opened without it.
      const archive = await catchRejection(async () => ({
        ok: true as const,
        ...(await openZip(source, limits)),
      }))
      if (!archive.ok) throw new AppError('ARCHIVE_REJECTED', { text: archive.message })
      const byName = new Map(archive.entries.map((entry) => [entry.name, entry]))
      for (const entry of row.entries ?? []) {
        signal.throwIfAborted()
        if (entry.status === 'waiting')
          await importEntry(archive, byName.get(entry.name), row.id, entry.index, signal)
      }
    } finally {
      await source.close()
    }
  }

  /** Ends the remaining entries. The archive is kept if some of them can be retried. */
  const finish = async (id: string, error: string | null): Promise<void> => {
    const key = await database.transaction(async (tx) => {
      if ((await lockImport(tx, id))?.status !== 'importing') return null
      await moveEntries(tx, id, { from: 'waiting', to: 'failed', error })
      const row = await findImport(tx, id)
      if (!row) return null
      const has = (status: ArchiveEntry['status']) =>
        row.entries?.some((entry) => entry.status === status) ?? false
      const now = clock.now()
      const isKept = has('failed') && error !== GONE
      await updateImport(tx, id, {
        status: has('done') ? 'done' : 'failed',
        error: has('done') ? null : (error ?? 'None of the files could be added.'),
        expires_at: isKept ? addMs(now, ARCHIVE_KEPT_MS) : null,
        updated_at: now,
        ...(!isKept && { object_key: null }),
      })
      await publishChange(tx, id)
      return isKept ? null : row.object_key
    })
    if (key !== null) await storage.delete(key)
  }

  return {
    name: ARCHIVE_TASK,
    concurrency: 2,
    deadlineSeconds: DEADLINE_SECONDS,
    retryLimit: 3,

    async run({ importId: id }, { signal, log }) {
      const row = await findImport(database.sql, id)
      if (row?.status !== 'importing') return
      const { received_bytes: receivedBytes, total_bytes: totalBytes, object_key: key } = row
      const watched = { id, status: 'importing', progress: { receivedBytes, totalBytes }, signal } as const
      try {
        await whileWanted({ database, clock, log }, watched, async (wanted) => {
          if (key === null) throw new ObjectNotFoundError('The archive is gone.')
          await storage.withLocalFile(key, (path) => importAll(row, path, wanted))
        })
        await finish(id, null)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof UnwantedError) return
        const sentence = error instanceof ObjectNotFoundError ? GONE : sentenceOf(error)
        if (sentence === null) throw error
        await finish(id, sentence)
      }
    },

    listOpen: () => listUnderWay(database.sql, 'importing'),

    onFailed: ({ importId }) => finish(importId, GIVEN_UP),

    describe: (sql, { importId }) => describeImport(sql, importId),

    async reopen(tx, { importId: id }) {
      const row = await lockImport(tx, id)
      const hasFailed = row?.entries?.some(({ status }) => status === 'failed') ?? false
      if (!row || (row.status !== 'failed' && row.status !== 'done')) return null
      if (!hasFailed || row.object_key === null) return null
      await moveEntries(tx, id, { from: 'failed', to: 'waiting' })
      await updateImport(tx, id, {
        status: 'importing',
        error: null,
        expires_at: null,
        updated_at: clock.now(),
      })
      await publishChange(tx, id)
      return { importId: id }
    },
  }
}

async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
  }
}

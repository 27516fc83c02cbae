import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { fingerprintOf, withIdempotency } from '../../../platform/http/idempotency.ts'
import type { SafeFetch } from '../../../platform/outbound/safe-fetch.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { publish } from '../../events/index.ts'
import {
  type ImportRow,
  chooseEntries,
  deleteEnded,
  deleteImport,
  findImport,
  listExpired,
  lockImport,
  moveEntries,
  updateImport,
} from './imports.queries.ts'
import { presentImport } from './imports.present.ts'
import { checkAddress, countOpen } from './imports.service.ts'

/** Time for which a finished import stays on the list. */
const ENDED_KEPT_MS = 7 * DAY_MS
const OPEN = new Set(['fetching', 'choosing', 'importing'])

const THROWN_AWAY =
  'Nobody chose files from this archive within a day, so the archive was removed. Please upload it again.'

/** The caller who continues an import, with the idempotency key of the request. */
interface Chooser {
  accountId: string
  idempotencyKey: string | null
}

/** Steps of an existing import. All of them throw IMPORT_NOT_FOUND for an import of another person. */
export interface ImportSteps {
  /**
   * Imports the chosen entries of an archive. Throws IMPORT_STATE, IDEMPOTENCY_KEY_REUSED, or INVALID_INPUT for an
   * impossible choice.
   */
  choose(by: Chooser, id: string, indexes: readonly number[]): Promise<ModelImport>
  /**
   * Fetches a failed import again, or imports the failed entries of an archive again. Throws IMPORT_STATE,
   * IDEMPOTENCY_KEY_REUSED, TOO_MANY_IMPORTS or MODEL_URL_REFUSED.
   */
  retry(by: Chooser, id: string): Promise<ModelImport>
  /** Cancels a running import, or removes a finished one from the list. */
  cancel(accountId: string, id: string): Promise<void>
  /** Deletes archives from which nobody chose files, and imports that ended long ago. Runs hourly. */
  expire(): Promise<void>
}

export function createImportSteps(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  fetcher: SafeFetch
  /** `openBefore` is the number of unfinished imports of the same person. A person with fewer is served first. */
  enqueueFetch(tx: Queryable, importId: string, openBefore: number): Promise<void>
  enqueueArchive(tx: Queryable, importId: string): Promise<void>
  wake(): void
}): ImportSteps {
  const { database, clock, storage, fetcher } = deps

  const lockOwn = async (tx: Queryable, accountId: string, id: string): Promise<ImportRow> => {
    const row = await lockImport(tx, id)
    if (row?.account_id !== accountId) throw new AppError('IMPORT_NOT_FOUND')
    return row
  }

  /** Changes an import of the caller in a transaction, notifies its viewers and returns the result. */
  const change = async (
    { accountId, idempotencyKey: key }: Chooser,
    request: { id: string; step: string; indexes?: readonly number[] },
    work: (tx: Queryable, row: ImportRow) => Promise<void>,
  ): Promise<ModelImport> => {
    const { id } = request
    const fingerprint = fingerprintOf('stl-imports', request)
    const answer = await database.transaction((tx) =>
      withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
        await work(tx, await lockOwn(tx, accountId, id))
        await publish(tx, { type: 'updated', entity: 'stl_import', id })
        const changed = await findImport(tx, id)
        if (!changed) throw new AppError('IMPORT_NOT_FOUND')
        return { status: 202, body: presentImport(changed) }
      }),
    )
    deps.wake()
    return answer.body
  }

  const fetchAgain = async (tx: Queryable, { id, account_id: accountId }: ImportRow): Promise<void> => {
    const openBefore = await countOpen(tx, accountId)
    const fresh = { received_bytes: 0, total_bytes: null, error: null, updated_at: clock.now() }
    await updateImport(tx, id, { ...fresh, status: 'fetching' })
    await deps.enqueueFetch(tx, id, openBefore)
  }

  const importAgain = async (tx: Queryable, { id }: ImportRow): Promise<void> => {
    await moveEntries(tx, id, { from: 'failed', to: 'waiting' })
    const now = clock.now()
    await updateImport(tx, id, { status: 'importing', error: null, expires_at: null, updated_at: now })
    await deps.enqueueArchive(tx, id)
  }

  /** Ends an open import. Returns the key of the archive, which is no longer needed. */
  const end = async (tx: Queryable, row: ImportRow, error: string | null): Promise<string | null> => {
    const { id, object_key: key } = row
    await moveEntries(tx, id, { from: 'waiting', to: 'skipped' })
    const gone = { object_key: null, expires_at: null, updated_at: clock.now() }
    await updateImport(tx, id, { ...gone, status: OPEN.has(row.status) ? 'cancelled' : row.status, error })
    await publish(tx, { type: 'updated', entity: 'stl_import', id })
    return key
  }

  return {
    choose: (by, id, indexes) =>
      change(by, { id, step: 'choose', indexes }, async (tx, row) => {
        if (row.status !== 'choosing') throw new AppError('IMPORT_STATE')
        const offered = new Set(
          (row.entries ?? []).filter((entry) => entry.format).map((entry) => entry.index),
        )
        if (!indexes.every((index) => offered.has(index))) {
          const message = 'Only models in the archive can be chosen.'
          throw new AppError('INVALID_INPUT', { text: message, errors: [{ path: 'entries', message }] })
        }
        const chosen = [...new Set(indexes)]
        // A title in the form is meant for a single model. Several models with the same title could not be told apart.
        const fields = chosen.length > 1 ? { ...row.fields, title: null } : row.fields
        await chooseEntries(tx, id, chosen)
        await updateImport(tx, id, { status: 'importing', fields, expires_at: null, updated_at: clock.now() })
        await deps.enqueueArchive(tx, id)
      }),

    async retry(by, id) {
      const found = await findImport(database.sql, id)
      // Resolve the address before the transaction, so that no locks are held during the lookup.
      const isFetch =
        found?.account_id === by.accountId && found.status === 'failed' && found.entries === null
      if (isFetch && found.url !== null) await checkAddress(fetcher, found.url)
      return change(by, { id, step: 'retry' }, async (tx, row) => {
        const hasFailed = row.entries?.some((entry) => entry.status === 'failed') ?? false
        const hasEnded = row.status === 'failed' || row.status === 'done'
        if (isFetch && row.status === 'failed') await fetchAgain(tx, row)
        else if (hasEnded && hasFailed && row.object_key !== null) await importAgain(tx, row)
        else throw new AppError('IMPORT_STATE')
      })
    },

    async cancel(accountId, id) {
      const key = await database.transaction(async (tx) => {
        const row = await lockOwn(tx, accountId, id)
        if (OPEN.has(row.status)) return end(tx, row, null)
        await deleteImport(tx, id)
        await publish(tx, { type: 'deleted', entity: 'stl_import', id })
        return row.object_key
      })
      if (key !== null) await storage.delete(key)
    },

    async expire() {
      const now = clock.now()
      for (const { id } of await listExpired(database.sql, now)) {
        const key = await database.transaction(async (tx) => {
          const row = await lockImport(tx, id)
          // Somebody has chosen files from the archive or retried the import in the meantime.
          if (!row?.expires_at || new Date(row.expires_at) > now) return null
          return end(tx, row, row.status === 'choosing' ? THROWN_AWAY : row.error)
        })
        if (key !== null) await storage.delete(key)
      }
      await deleteEnded(database.sql, addMs(now, -ENDED_KEPT_MS))
    },
  }
}

import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { UploadModelFields } from '@pegasus/contracts/stl-library/upload'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import {
  type HttpResult,
  withIdempotency,
  type IdempotentCaller,
} from '../../../platform/http/idempotency.ts'
import { type Page, toPage, type PageRequest } from '../../../platform/http/paging.ts'
import type { SafeFetch } from '../../../platform/outbound/safe-fetch.ts'
import { AddressRefusedError } from '../../../platform/outbound/web-address.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { publish } from '../../events/index.ts'
import type { ModelFields } from '../upload/store-model.ts'
import type { ReceivedArchive } from '../upload/receive-bytes.ts'
import { presentImport } from './imports.present.ts'
import {
  type ImportRow,
  countImports,
  countOpenImports,
  findImport,
  insertImport,
  listImports,
} from './imports.queries.ts'
import { storeArchive } from './store-archive.ts'
import type { Recognize } from './match-archive-entries.ts'

/** Limit per account. Each import may hold an archive of the largest size. */
const MAX_OPEN_IMPORTS = 50

export interface Imports {
  /**
   * Starts to download the file at the address. Throws MODEL_URL_REFUSED, TOO_MANY_IMPORTS or IDEMPOTENCY_KEY_REUSED.
   */
  beginFetch(
    request: { fields: UploadModelFields; url: string },
    by: IdempotentCaller,
    fingerprint: string,
  ): Promise<HttpResult<ModelImport>>
  /**
   * Keeps an archive until somebody chooses files from it. Throws TOO_MANY_IMPORTS or IDEMPOTENCY_KEY_REUSED.
   */
  beginChoice(
    request: { fields: UploadModelFields; archive: ReceivedArchive },
    by: IdempotentCaller,
    source: {
      fingerprintOf(sha256: string): string
      /** Runs in the transaction that begins the import. If it throws, nothing is stored. */
      claim?: ((tx: Queryable) => Promise<void>) | undefined
    },
  ): Promise<HttpResult<ModelImport>>
  /** Lists the imports of the account, newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<ImportRow>>
  /**
   * Finds an import of the account. Throws IMPORT_NOT_FOUND if the import does not exist or belongs to another person.
   */
  get(accountId: string, id: string): Promise<ImportRow>
}

/** Returns the fields that all models of an import share, except the source, which is set during the import. */
function modelFieldsOf(fields: UploadModelFields): ModelFields {
  const { upload_method: _method, url: _url, ...rest } = fields
  return rest
}

/** Returns the normalized address. Throws MODEL_URL_REFUSED for every kind of refusal. */
export async function checkAddress(fetcher: SafeFetch, url: string): Promise<string> {
  try {
    return await fetcher.check(url)
  } catch (cause) {
    if (!(cause instanceof AddressRefusedError)) throw cause
    throw new AppError('MODEL_URL_REFUSED', { detail: cause.message, cause })
  }
}

/** Returns the number of open imports of an account. Throws TOO_MANY_IMPORTS if the limit is reached. */
export async function countOpen(tx: Queryable, accountId: string): Promise<number> {
  const open = await countOpenImports(tx, accountId)
  if (open >= MAX_OPEN_IMPORTS) throw new AppError('TOO_MANY_IMPORTS')
  return open
}

/** Returns the import that was just written. */
async function readBack(tx: Queryable, id: string): Promise<ImportRow> {
  const row = await findImport(tx, id)
  if (!row) throw new Error('An import that was just written is not there.')
  return row
}

export function createImports(deps: {
  database: Database
  clock: Clock
  storage: ObjectStorage
  fetcher: SafeFetch
  recognize: Recognize
  /** `openBefore` is the number of unfinished imports of the same person. A person with fewer is served first. */
  enqueueFetch(tx: Queryable, importId: string, openBefore: number): Promise<void>
  wakeFetch(): void
}): Imports {
  const { database, clock, storage, fetcher, recognize } = deps

  return {
    async beginFetch({ fields, url: given }, { accountId, audit, idempotencyKey: key }, fingerprint) {
      const url = await checkAddress(fetcher, given)
      const answer = await database.transaction((tx) =>
        withIdempotency(tx, { key, accountId, fingerprint, clock }, async () => {
          const openBefore = await countOpen(tx, accountId)
          const id = uuidv7()
          const row = { id, accountId, source: 'url', status: 'fetching', url, now: audit.now } as const
          await insertImport(tx, { ...row, fields: modelFieldsOf(fields) })
          await deps.enqueueFetch(tx, id, openBefore)
          await publish(tx, { type: 'created', entity: 'stl_import', id })
          return { status: 202, body: presentImport(await readBack(tx, id)) }
        }),
      )
      deps.wakeFetch()
      return answer
    },

    async beginChoice(
      { fields, archive },
      { accountId, audit, idempotencyKey: key },
      { fingerprintOf, claim },
    ) {
      const id = uuidv7()
      const kept = { archive, id, fetchedAt: null }
      return storeArchive({ database, storage, clock, recognize }, kept, (tx, offer, { sha256 }) =>
        withIdempotency(tx, { key, accountId, fingerprint: fingerprintOf(sha256), clock }, async () => {
          await claim?.(tx)
          await countOpen(tx, accountId)
          const row = {
            id,
            accountId,
            source: 'archive',
            status: 'choosing',
            url: null,
            now: audit.now,
          } as const
          await insertImport(tx, { ...row, fields: modelFieldsOf(fields) })
          await offer()
          await publish(tx, { type: 'created', entity: 'stl_import', id })
          return { status: 202, body: presentImport(await readBack(tx, id)) }
        }),
      )
    },

    async list(accountId, page) {
      const [{ rows, limit }, total] = await Promise.all([
        listImports(database.sql, accountId, page),
        countImports(database.sql, accountId),
      ])
      return toPage(rows, limit, total)
    },

    async get(accountId, id) {
      const row = await findImport(database.sql, id)
      if (row?.account_id !== accountId) throw new AppError('IMPORT_NOT_FOUND')
      return row
    },
  }
}

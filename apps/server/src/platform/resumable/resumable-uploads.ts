import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, HOUR_MS, addMs } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { AppError, orThrow } from '../errors/app-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { ChunkWriter } from './chunk-writer.ts'
import {
  claimUpload,
  countOpenLocked,
  deleteUpload,
  findObjectUpload,
  findUpload,
  finishUpload,
  insertUpload,
  isChunk,
  listChunks,
  listExpired,
  type NewUpload,
  type UploadOwner,
  type UploadPurpose,
  type UploadRow,
} from './resumable-uploads.queries.ts'

export type { UploadOwner, UploadPurpose, UploadRow }

const PREFIX = 'resumable/'
/** The time for which an upload is kept after its last byte. */
const KEPT_MS = DAY_MS
const MAX_OPEN = 100
/**
 * The maximum number of chunks of an upload. Otherwise a client that sends single bytes would fill the store with
 * objects.
 */
const MAX_CHUNKS = 10_000
/** The minimum age of an object without a row that is deleted. The row of a younger object may not be written yet. */
const MIN_AGE_MS = HOUR_MS
const SWEPT_AT_ONCE = 100

/**
 * Uploads that arrive in several requests, on any replica. Each request adds chunks, which are objects in the store. A
 * chunk counts as soon as its row is written. Only the latest request can add chunks.
 */
export interface ResumableUploads {
  /** Throws TOO_MANY_UPLOADS. */
  create(upload: Omit<NewUpload, 'id' | 'now' | 'expiresAt'>): Promise<UploadRow>
  /** Returns an upload of this owner. Throws UPLOAD_NOT_FOUND, also for another owner's upload, or UPLOAD_EXPIRED. */
  get(upload: { id: string; purpose: UploadPurpose; owner: UploadOwner }): Promise<UploadRow>
  /**
   * Returns an upload of an object, whoever began it. Only the upload's token authorizes this. Throws UPLOAD_NOT_FOUND.
   */
  findForToken(id: string): Promise<UploadRow>
  /**
   * Adds the bytes of a request and returns how many bytes have arrived in total. If the connection breaks off, the
   * bytes that have arrived stay. Throws UPLOAD_OFFSET_WRONG, UPLOAD_TAKEN_OVER, PAYLOAD_TOO_LARGE for bytes beyond the
   * length, or MALFORMED_REQUEST.
   */
  append(upload: UploadRow, offset: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /** Yields all bytes of a complete upload. Throws UPLOAD_NOT_FOUND if the upload was removed in the meantime. */
  read(upload: UploadRow): AsyncGenerator<Uint8Array>
  /** Records that the upload is finished and removes its bytes. */
  finish(upload: Pick<UploadRow, 'id'>): Promise<void>
  remove(upload: Pick<UploadRow, 'id'>): Promise<void>
  /**
   * Removes expired uploads, and bytes that a crash left without a row. Runs every hour. Returns the number of removed
   * uploads and objects.
   */
  sweep(): Promise<number>
}

export function createResumableUploads(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
}): ResumableUploads {
  const { database, storage, clock } = deps
  const expiryFrom = (now: Date): Date => addMs(now, KEPT_MS)

  /**
   * Deletes objects after the transaction that deleted their rows. A row without bytes would be worse than bytes
   * without a row, because the sweep removes the latter.
   */
  const release = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) await storage.delete(key)
  }
  const remove = async ({ id }: Pick<UploadRow, 'id'>): Promise<void> =>
    release(await database.transaction((tx) => deleteUpload(tx, id)))

  return {
    async create(upload) {
      const now = clock.now()
      return database.transaction(async (tx) => {
        if ((await countOpenLocked(tx, upload.owner, now)) >= MAX_OPEN) throw new AppError('TOO_MANY_UPLOADS')
        return insertUpload(tx, { ...upload, id: uuidv7(), now, expiresAt: expiryFrom(now) })
      })
    },

    async get(upload) {
      const row = orThrow(await findUpload(database.sql, upload), 'UPLOAD_NOT_FOUND')
      if (new Date(row.expires_at) <= clock.now()) throw new AppError('UPLOAD_EXPIRED')
      return row
    },

    findForToken: async (id) => orThrow(await findObjectUpload(database.sql, id), 'UPLOAD_NOT_FOUND'),

    async append({ id, length_bytes: lengthBytes, chunk_count: chunks }, offset, body) {
      if (chunks >= MAX_CHUNKS)
        throw new AppError('MALFORMED_REQUEST', { say: 'This upload came in too many parts.' })
      const writer = uuidv4()
      const isClaimed = await claimUpload(database.sql, {
        id,
        offset,
        writer,
        expiresAt: expiryFrom(clock.now()),
      })
      if (!isClaimed) throw new AppError('UPLOAD_OFFSET_WRONG')
      const chunkWriter = new ChunkWriter(
        { database, storage, expiry: () => expiryFrom(clock.now()) },
        {
          uploadId: id,
          writer,
          offset,
          lengthBytes,
          keyOf: (start) => `${PREFIX}${id}/${start}-${writer}`,
        },
      )
      return chunkWriter.writeAll(body)
    },

    async *read({ id, length_bytes: lengthBytes }) {
      let at = 0
      for (const { start_bytes: start, size_bytes: size, object_key: key } of await listChunks(
        database.sql,
        id,
      )) {
        if (start !== at) throw new Error(`The chunks of upload ${id} have a gap at ${at}.`)
        const { stream } = orThrow(await storage.open(key), 'UPLOAD_NOT_FOUND')
        yield* stream as AsyncIterable<Uint8Array>
        at += size
      }
      if (at !== lengthBytes) throw new AppError('UPLOAD_NOT_FOUND')
    },

    async finish({ id }) {
      await release(await database.transaction((tx) => finishUpload(tx, id, clock.now())))
    },

    remove,

    async sweep() {
      let count = 0
      for (;;) {
        const ids = await listExpired(database.sql, clock.now(), SWEPT_AT_ONCE)
        if (ids.length === 0) break
        for (const id of ids) await remove({ id })
        count += ids.length
      }
      const before = clock.now().getTime() - MIN_AGE_MS
      for await (const { key, modifiedAt } of storage.list(PREFIX)) {
        if (modifiedAt.getTime() > before || (await isChunk(database.sql, key))) continue
        await storage.delete(key)
        count += 1
      }
      return count
    },
  }
}

import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, addMs } from '../clock.ts'
import type { Database, TransactionSql } from '../database/database.ts'
import { AppError, orThrow } from '../errors/app-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import { type StoredFiles, listUnclaimedKeys } from '../storage/unclaimed-files.ts'
import { ChunkWriter } from './chunk-writer.ts'
import {
  claimUpload,
  countOpen,
  deleteOpenOfToken,
  deleteUpload,
  findObjectUpload,
  findUpload,
  finishUpload,
  insertUpload,
  isChunk,
  isUploadFinished,
  listChunks,
  listExpired,
  listNewestChunkKeys,
  lockOwner,
  type NewUpload,
  type UploadOwner,
  type UploadPurpose,
  type UploadRow,
} from './resumable-uploads.queries.ts'

export type { UploadOwner, UploadPurpose, UploadRow }

const PREFIX = 'resumable/'
/** Tells the cleanup where the chunks of unfinished uploads are stored. */
export const resumableFiles: StoredFiles = { prefixes: [PREFIX], listNewestKeys: listNewestChunkKeys }
/** How long an unfinished upload is kept after its last byte has arrived. */
const KEPT_MS = DAY_MS
const MAX_OPEN = 100
/**
 * The maximum number of chunks in an upload. Without it, a client that sends single bytes could fill the storage with
 * objects.
 */
const MAX_CHUNKS = 10_000
const SWEPT_AT_ONCE = 100

/** The end of an upload. Only one transaction can end it. */
export interface UploadEnd {
  /**
   * Ends the upload. Throws UPLOAD_NOT_FOUND if it has already ended; the transaction must not store anything
   * then.
   */
  claim(tx: TransactionSql): Promise<void>
  /** Call this after the commit. Removes the bytes of the upload. */
  release(): Promise<void>
}

/**
 * Uploads that arrive in several requests, on any replica. Each request adds chunks, which are objects in the store. A
 * chunk is part of the upload once its row is written. Only the latest request can add chunks.
 */
export interface ResumableUploads {
  /**
   * Begins an upload. A signed token can have only one unfinished upload, so a new one replaces it. Throws
   * TOO_MANY_UPLOADS. The limit for uploads by tokens is separate from the limit for the owner's other uploads.
   */
  create(upload: Omit<NewUpload, 'id' | 'now' | 'expiresAt'>): Promise<UploadRow>
  /**
   * Returns an upload of this owner. Throws UPLOAD_NOT_FOUND if it does not exist or belongs to another
   * owner, or UPLOAD_EXPIRED.
   */
  get(upload: { id: string; purpose: UploadPurpose; owner: UploadOwner }): Promise<UploadRow>
  /**
   * Returns an upload of an object, no matter who began it. Call this only for a request with the upload's token,
   * which is the only authorization. Throws UPLOAD_NOT_FOUND.
   */
  findForToken(id: string): Promise<UploadRow>
  /**
   * Adds the bytes of a request. Returns how many bytes have arrived in total. If the connection is lost, the
   * bytes that have arrived are kept. Throws UPLOAD_OFFSET_WRONG, UPLOAD_TAKEN_OVER, PAYLOAD_TOO_LARGE for
   * bytes beyond the length, or MALFORMED_REQUEST.
   */
  append(upload: UploadRow, offset: number, body: AsyncIterable<Uint8Array>): Promise<number>
  /**
   * Yields all bytes of a complete upload. Throws UPLOAD_NOT_FOUND if the upload was removed in the meantime.
   */
  read(upload: UploadRow): AsyncGenerator<Uint8Array>
  /**
   * Ends an upload in the transaction that stores its result. The row of a `finished` upload is kept until it
   * expires.
   */
  end(upload: Pick<UploadRow, 'id'>, as: 'finished' | 'removed'): UploadEnd
  isFinished(upload: Pick<UploadRow, 'id'>): Promise<boolean>
  remove(upload: Pick<UploadRow, 'id'>): Promise<void>
  /**
   * Removes expired uploads, and bytes that a crash left without a row. Called every hour. Returns the number
   * of removed uploads and objects.
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
   * Deletes objects. Call this after the transaction that deleted their rows. If it fails, the sweep removes the
   * objects later. In the other order, a failure would leave rows without bytes.
   */
  const release = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) await storage.delete(key)
  }
  const remove = async (id: string, options?: { expiredBy: Date }): Promise<boolean> => {
    const keys = await database.transaction((tx) => deleteUpload(tx, id, options))
    await release(keys ?? [])
    return keys !== null
  }

  return {
    async create(upload) {
      const now = clock.now()
      const { owner } = upload
      const { row, replaced } = await database.transaction(async (tx) => {
        await lockOwner(tx, owner)
        const replacedKeys = owner.tokenHash === undefined ? [] : await deleteOpenOfToken(tx, owner.tokenHash)
        if ((await countOpen(tx, owner, now)) >= MAX_OPEN) throw new AppError('TOO_MANY_UPLOADS')
        const added = await insertUpload(tx, { ...upload, id: uuidv7(), now, expiresAt: expiryFrom(now) })
        return { row: added, replaced: replacedKeys }
      })
      await release(replaced)
      return row
    },

    async get(upload) {
      const row = orThrow(await findUpload(database.sql, upload), 'UPLOAD_NOT_FOUND')
      if (new Date(row.expires_at) <= clock.now()) throw new AppError('UPLOAD_EXPIRED')
      return row
    },

    findForToken: async (id) => orThrow(await findObjectUpload(database.sql, id), 'UPLOAD_NOT_FOUND'),

    async append({ id, length_bytes: lengthBytes, chunk_count: chunks }, offset, body) {
      if (chunks >= MAX_CHUNKS)
        throw new AppError('MALFORMED_REQUEST', { text: 'This upload has too many parts.' })
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

    end({ id }, as) {
      let keys: readonly string[] = []
      return {
        async claim(tx) {
          const ended = await (as === 'finished' ? finishUpload(tx, id, clock.now()) : deleteUpload(tx, id))
          keys = orThrow(ended, 'UPLOAD_NOT_FOUND')
        },
        // Ignore a failure here: the upload is stored, and the sweep removes its chunks later.
        release: () => release(keys).catch(() => undefined),
      }
    },

    isFinished: ({ id }) => isUploadFinished(database.sql, id),

    remove: async ({ id }) => void (await remove(id)),

    async sweep() {
      let count = 0
      for (;;) {
        const expiredBy = clock.now()
        const ids = await listExpired(database.sql, expiredBy, SWEPT_AT_ONCE)
        if (ids.length === 0) break
        for (const id of ids) if (await remove(id, { expiredBy })) count += 1
      }
      for await (const key of listUnclaimedKeys(deps, PREFIX)) {
        if (await isChunk(database.sql, key)) continue
        await storage.delete(key)
        count += 1
      }
      return count
    },
  }
}

import type { BucketSettings } from '@pegasus/contracts/media/hosted-buckets'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { BucketRow } from '../media.queries.ts'
import { assertBucketName, isCleaned, sizeLimitOf } from './bucket-rules.ts'
import {
  type BucketsQuery,
  countBucketsLocked,
  deleteAllObjects,
  deleteBucket,
  type DescribedBucket,
  findDescribedBucket,
  hasObjects,
  insertBucket,
  listBuckets,
  lockBucket,
  updateBucket,
} from './buckets.queries.ts'

const MAX_BUCKETS = 1000

/** Manages buckets. The bucket for the shop's media never changes. People and programs create all other buckets. */
export interface Buckets {
  list(query: BucketsQuery): Promise<DescribedBucket[]>
  /** Returns a bucket. Throws BUCKET_NOT_FOUND. */
  get(id: string): Promise<DescribedBucket>
  /**
   * Creates a bucket. Throws BUCKET_NAME_INVALID, BUCKET_EXISTS or TOO_MANY_BUCKETS, and PAYLOAD_TOO_LARGE if
   * the size limit exceeds the server's own limit.
   */
  create(
    bucket: BucketSettings & { id: string; name: string; ownerId: string | null },
    by: AuditContext,
  ): Promise<void>
  /**
   * Changes the settings of a bucket. Throws BUCKET_NOT_FOUND, BUCKET_FIXED for the bucket of the shop's media, or
   * PAYLOAD_TOO_LARGE. `empty` and `remove` throw BUCKET_NOT_FOUND and BUCKET_FIXED, too.
   */
  update(id: string, settings: BucketSettings, by: AuditContext): Promise<void>
  empty(id: string, by: AuditContext): Promise<void>
  /** Deletes a bucket. Throws BUCKET_NOT_EMPTY if it still contains objects. */
  remove(id: string, by: AuditContext): Promise<void>
}

const auditedBucket = ({ is_public, file_size_limit, allowed_mime_types }: BucketRow) => ({
  is_public,
  file_size_limit,
  allowed_mime_types,
})

export function createBuckets({
  database,
  uploadLimitBytes,
}: {
  database: Database
  uploadLimitBytes: number
}): Buckets {
  /**
   * Merges the requested changes into the settings `before` and returns the result. An empty list of types allows all
   * types.
   */
  const settle = (changes: BucketSettings, before: Omit<BucketRow, 'id'>): Omit<BucketRow, 'id'> => {
    const { public: isPublic = before.is_public, file_size_limit: limit, allowed_mime_types: types } = changes
    const kept = { limit: before.file_size_limit, types: before.allowed_mime_types }
    return {
      is_public: isPublic,
      file_size_limit:
        limit == null ? (limit === null ? null : kept.limit) : sizeLimitOf(limit, uploadLimitBytes),
      allowed_mime_types: types === undefined ? kept.types : types?.length ? types : null,
    }
  }

  const change = (
    id: string,
    work: (tx: TransactionSql, bucket: DescribedBucket) => Promise<Omit<AuditEvent, 'entity' | 'entityId'>>,
    by: AuditContext,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const bucket = orThrow(await lockBucket(tx, id), 'BUCKET_NOT_FOUND')
      if (isCleaned(id)) throw new AppError('BUCKET_FIXED')
      const event = await work(tx, bucket)
      await writeAudit(tx, { ...event, entity: 'bucket', entityId: id, entityName: id }, by)
    })

  return {
    list: (query) => listBuckets(database.sql, query),

    get: async (id) => orThrow(await findDescribedBucket(database.sql, id), 'BUCKET_NOT_FOUND'),

    async create({ id, name, ownerId, ...changes }, by) {
      assertBucketName(id)
      assertBucketName(name)
      const settings = settle(changes, { is_public: false, file_size_limit: null, allowed_mime_types: null })
      await database.transaction(async (tx) => {
        if ((await countBucketsLocked(tx)) >= MAX_BUCKETS) throw new AppError('TOO_MANY_BUCKETS')
        if (!(await insertBucket(tx, { id, name, ...settings, ownerId, now: by.now })))
          throw new AppError('BUCKET_EXISTS')
        const subject = { entity: 'bucket', entityId: id, entityName: id } as const
        await writeAudit(
          tx,
          { action: 'bucket.created', ...subject, after: auditedBucket({ id, ...settings }) },
          by,
        )
      })
    },

    update: (id, changes, by) =>
      change(
        id,
        async (tx, before) => {
          const after = { id, ...settle(changes, before) }
          await updateBucket(tx, after, by.now)
          return { action: 'bucket.updated', before: auditedBucket(before), after: auditedBucket(after) }
        },
        by,
      ),

    empty: (id, by) =>
      change(
        id,
        async (tx) => ({ action: 'bucket.emptied', after: { removed: await deleteAllObjects(tx, id) } }),
        by,
      ),

    remove: (id, by) =>
      change(
        id,
        async (tx, before) => {
          if (await hasObjects(tx, id)) throw new AppError('BUCKET_NOT_EMPTY')
          await deleteBucket(tx, id)
          return { action: 'bucket.deleted', before: auditedBucket(before) }
        },
        by,
      ),
  }
}

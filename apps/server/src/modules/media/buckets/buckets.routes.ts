import {
  STORAGE_BUCKET_CHANGES,
  storageBucket,
  storageBuckets,
  storageStatus,
  storageVersion,
} from '@pegasus/contracts/media/hosted-buckets'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { presentBucket } from './buckets.present.ts'
import type { Buckets } from './buckets.service.ts'

/** Endpoints for buckets, and for the status of this protocol. */
export function addBucketRoutes(
  endpoints: Endpoints,
  { buckets, version }: { buckets: Buckets; version: string },
): void {
  endpoints.add(storageBuckets, async ({ query }) => {
    const rows = await buckets.list({
      search: query.search ?? '',
      column: query.sortColumn ?? 'id',
      isDescending: query.sortOrder === 'desc',
      limit: query.limit ?? null,
      offset: query.offset ?? 0,
    })
    return rows.map(presentBucket)
  })

  endpoints.add(storageBucket, async ({ params }) => presentBucket(await buckets.get(params.bucket)))

  for (const endpoint of STORAGE_BUCKET_CHANGES)
    endpoints.add(endpoint, async () => {
      throw new AppError('BUCKETS_FIXED')
    })

  endpoints.add(storageStatus, async ({ reply }) => reply.type('text/plain; charset=utf-8').send(''))
  endpoints.add(storageVersion, async ({ reply }) => reply.type('text/plain; charset=utf-8').send(version))
}

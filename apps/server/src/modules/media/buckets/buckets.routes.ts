import {
  storageBucket,
  storageBuckets,
  storageCreateBucket,
  storageDeleteBucket,
  storageEmptyBucket,
  storageStatus,
  storageUpdateBucket,
  storageVersion,
} from '@pegasus/contracts/media/hosted-buckets'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { ownerOf } from '../storage-caller.ts'
import { presentBucket } from './buckets.present.ts'
import type { Buckets } from './buckets.service.ts'

/** Adds the endpoints for buckets and for the status of the storage. */
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
    return rows.map((row) => ({ ...presentBucket(row), type: 'STANDARD' as const }))
  })

  endpoints.add(storageBucket, async ({ params }) => presentBucket(await buckets.get(params.bucket)))

  endpoints.add(storageCreateBucket, async ({ body, user, audit }) => {
    const { id, type: _type, ...bucket } = body
    await buckets.create({ ...bucket, id: id || bucket.name, ownerId: ownerOf(user) }, audit)
    return { name: bucket.name }
  })

  endpoints.add(storageUpdateBucket, async ({ params, body, audit }) => {
    await buckets.update(params.bucket, body, audit)
    return { message: 'Successfully updated' }
  })

  endpoints.add(storageEmptyBucket, async ({ params, audit }) => {
    await buckets.empty(params.bucket, audit)
    // This is the hosted service's own message, which its clients expect. Here, all objects are already deleted when it
    // is sent.
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' }
  })

  endpoints.add(storageDeleteBucket, async ({ params, audit }) => {
    await buckets.remove(params.bucket, audit)
    return { message: 'Successfully deleted' }
  })

  endpoints.add(storageStatus, async ({ reply }) => reply.type('text/plain; charset=utf-8').send(''))
  endpoints.add(storageVersion, async ({ reply }) => reply.type('text/plain; charset=utf-8').send(version))
}

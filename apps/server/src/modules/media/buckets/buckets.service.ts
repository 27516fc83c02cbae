import type { Database } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import {
  type BucketsQuery,
  type DescribedBucket,
  findDescribedBucket,
  listBuckets,
} from './buckets.queries.ts'

/** Buckets. Only the product's migrations create or change them. */
export interface Buckets {
  list(query: BucketsQuery): Promise<DescribedBucket[]>
  /** Throws BUCKET_NOT_FOUND. */
  get(id: string): Promise<DescribedBucket>
}

export function createBuckets({ database }: { database: Pick<Database, 'sql'> }): Buckets {
  return {
    list: (query) => listBuckets(database.sql, query),

    get: async (id) => orThrow(await findDescribedBucket(database.sql, id), 'BUCKET_NOT_FOUND'),
  }
}

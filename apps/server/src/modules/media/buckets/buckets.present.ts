import type { DescribedBucket } from './buckets.queries.ts'

/** Returns a bucket in the form of the hosted service. */
export const presentBucket = ({ is_public: isPublic, owner_id: owner, ...row }: DescribedBucket) => ({
  ...row,
  owner: owner ?? '',
  public: isPublic,
})

import type { DescribedBucket } from './buckets.queries.ts'

/** Returns a bucket as the hosted service describes it. */
export const presentBucket = ({ is_public: isPublic, owner_id: owner, ...row }: DescribedBucket) => ({
  ...row,
  owner: owner ?? '',
  type: 'STANDARD' as const,
  public: isPublic,
})

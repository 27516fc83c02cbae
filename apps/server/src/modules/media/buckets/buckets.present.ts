import type { DescribedBucket } from './buckets.queries.ts'

/** A bucket as the hosted service describes it. It belongs to nobody. */
export const presentBucket = ({ is_public: isPublic, ...row }: DescribedBucket) => ({
  ...row,
  owner: '',
  type: 'STANDARD' as const,
  public: isPublic,
})

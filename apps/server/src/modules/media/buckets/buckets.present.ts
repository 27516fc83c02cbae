import type { DescribedBucket } from './buckets.queries.ts'

/** Converts a bucket to the JSON format of the hosted service. Its dates always have milliseconds. */
export const presentBucket = ({ is_public: isPublic, owner_id: owner, ...row }: DescribedBucket) => ({
  ...row,
  owner: owner ?? '',
  public: isPublic,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
})

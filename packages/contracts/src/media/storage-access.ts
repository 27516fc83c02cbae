/**
 * The lowest role that may do something under `/storage/v1`, for all buckets alike. A secret key of the hosted service's
 * protocol may do all of it. `public` needs neither a session nor a key.
 */
export const STORAGE_ACCESS = {
  /** Objects of public buckets. */
  readPublic: 'public',
  /** Addresses that are signed for one object: their token is the permission. */
  useSigned: 'public',
  listBuckets: 'signed-in',
  readObjects: 'signed-in',
  /** Addresses that read an object without a sign-in. */
  signReads: 'signed-in',
  /** Storing, replacing, moving, copying and removing objects, and signing uploads. */
  changeObjects: 'staff',
  /** Creating, changing, emptying and deleting buckets. */
  changeBuckets: 'admin',
} as const

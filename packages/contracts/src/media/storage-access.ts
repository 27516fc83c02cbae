/**
 * The lowest role for each kind of call under `/storage/v1`, the same for all buckets. A secret key of the hosted
 * service's protocol may make all these calls. `public` needs neither a session nor a key.
 */
export const STORAGE_ACCESS = {
  /** Reading objects of public buckets. */
  readPublic: 'public',
  /** Using an address that is signed for one object. Its token is the permission. */
  useSigned: 'public',
  listBuckets: 'signed-in',
  /** Reading and listing objects of public buckets with a sign-in. */
  readObjects: 'signed-in',
  /** Creating addresses that read an object of a public bucket without a sign-in. */
  signReads: 'signed-in',
  /**
   * Reading objects of a private bucket, and creating addresses that read them. Other callers get the
   * response for a bucket that does not exist.
   */
  readPrivate: 'staff',
  /** Storing, replacing, moving, copying and removing objects, and signing uploads. */
  changeObjects: 'staff',
  /** Creating, changing, emptying and deleting buckets. */
  changeBuckets: 'admin',
} as const

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceLog } from '../log/service-log.ts'
import { StartupError } from '../startup-error.ts'
import { openDiskStorage } from './disk-storage.ts'
import type { ObjectStorage } from './object-storage.ts'
import type { S3Settings } from './s3-address.ts'

export interface StorageOptions {
  dataDir: string
  /** A `file:` address; null means the default folder in `dataDir`. */
  storageUrl: string | null
  /** The bucket, if one is configured. */
  s3: S3Settings | null
}

/** Opens the configured storage. Throws StartupError, whose message names the wrong variable. */
export async function openStorage(options: StorageOptions, log: ServiceLog): Promise<ObjectStorage> {
  const { s3, dataDir } = options
  return s3 === null ? openFolder(options, log) : openBucket(s3, join(dataDir, 'uploads'), log)
}

/** Returns the path of the folder with the files, if no bucket is configured. */
export const storageFolder = ({ storageUrl, dataDir }: StorageOptions): string =>
  storageUrl === null ? join(dataDir, 'objects') : fileURLToPath(storageUrl)

async function openFolder(options: StorageOptions, log: ServiceLog): Promise<ObjectStorage> {
  const { storageUrl, dataDir } = options
  try {
    return await openDiskStorage({ folder: storageFolder(options), log })
  } catch (cause) {
    const [name, value] = storageUrl === null ? ['DATA_DIR', dataDir] : ['STORAGE_URL', storageUrl]
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(
      `${name} holds "${value}", but files cannot be stored there (${reason}); it should hold a folder that can be written.`,
      { cause },
    )
  }
}

async function openBucket(settings: S3Settings, folder: string, log: ServiceLog): Promise<ObjectStorage> {
  // Import these modules only here: the client takes a tenth of a second and 35 MB, which a start with disk
  // storage does not need.
  const [{ openS3Storage }, { S3Error }] = await Promise.all([
    import('./s3-storage.ts'),
    import('./s3-errors.ts'),
  ])
  try {
    return await openS3Storage({ settings, folder, log })
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    const where = settings.endpoint ?? `Amazon S3 in ${settings.region}`
    const detail = error.status === null ? error.reason : `${error.status} ${error.reason}`
    throw new StartupError(
      `STORAGE_URL names the bucket "${settings.bucket}" at ${where}, but ${explainFault(error, settings)} (${detail}).`,
    )
  }
}

const KEYS = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
const NO_KEYS = new Set(['CredentialsProviderError', 'CredentialsError'])
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])
const RIGHTS = `must permit listing the bucket, and reading, writing and deleting in it`

function explainFault(
  { status, reason }: { status: number | null; reason: string },
  { keys, region }: S3Settings,
): string {
  if (NO_KEYS.has(reason)) return `there are no keys for it; set ${KEYS}`
  if (WRONG_REGION.has(reason) || status === 301)
    return `the bucket is not in the region ${region}; the address should name the region of the bucket`
  if (reason === 'NoSuchBucket' || status === 404)
    return 'this bucket does not exist; STORAGE_URL should name an existing bucket'
  if (status === 401 || status === 403)
    return keys === null
      ? `it refuses the keys of this machine; the keys ${RIGHTS}`
      : `it refuses the keys in ${KEYS}; the keys ${RIGHTS}`
  if (status !== null) return 'objects cannot be stored there; check the store'
  return 'it cannot be reached; check the network, or correct STORAGE_URL'
}

import type { BucketSettings } from '@pegasus/contracts/media/hosted-buckets'
import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { BucketRow } from '../media.queries.ts'
import type { ReadScope } from '../storage-caller.ts'
import { essenceOf } from '../served-type.ts'

/** The characters that the hosted service allows in the name of a bucket. */
const NAME = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/
/**
 * Words that follow `/object/` in other addresses. Objects in a bucket with such a name would be unreachable.
 */
const RESERVED = new Set([
  'authenticated',
  'copy',
  'info',
  'list',
  'list-v2',
  'move',
  'public',
  'sign',
  'upload',
])

/** Returns whether a bucket name works in addresses. Browsers and proxies interpret `.` and `..` as steps in a path. */
const isAddressable = (name: string): boolean => !/^\.+$/.test(name) && name.trim() === name

/** Throws BUCKET_NAME_INVALID if the name is not allowed for a bucket. */
export function assertBucketName(name: string): void {
  if (!NAME.test(name) || !isAddressable(name) || RESERVED.has(name))
    throw new AppError('BUCKET_NAME_INVALID')
}

/**
 * Returns whether the bucket re-encodes pictures and refuses files that are not media. Only the bucket for
 * the shop's media does this. All other buckets store bytes unchanged.
 */
export const isCleaned = (bucketId: string): boolean => bucketId === MEDIA_BUCKET

/** Returns whether a call with that scope may read the objects of the bucket. */
export const isReadable = (bucket: Pick<BucketRow, 'id' | 'is_public'>, scope: ReadScope): boolean =>
  scope === 'all' || bucket.is_public || (scope === 'signed-in' && isCleaned(bucket.id))

const UNIT_BYTES: Readonly<Record<string, number>> = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 }

/**
 * Converts a size limit, a number or a string such as `20MB`, to bytes. Throws PAYLOAD_TOO_LARGE if it
 * exceeds the server's own limit.
 */
export function sizeLimitOf(
  limit: NonNullable<BucketSettings['file_size_limit']>,
  uploadLimitBytes: number,
): number {
  const [, amount = '', unit = ''] = /^([\d.]+)([a-z]+)$/i.exec(String(limit)) ?? []
  const bytes =
    typeof limit === 'number' ? limit : Math.floor(Number(amount) * (UNIT_BYTES[unit.toLowerCase()] ?? 1))
  if (bytes > uploadLimitBytes) throw new AppError('PAYLOAD_TOO_LARGE')
  return bytes
}

/**
 * A content type with optional parameters. The parameters must not contain a comma, because browsers read the text
 * after a comma as a second type.
 */
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;[\t\x20-\x2b\x2d-\x7e]*)?$/
const MAX_CONTENT_TYPE_LENGTH = 255

/** Throws MIME_TYPE_REFUSED if the value is not a valid type, or if the bucket does not allow this type. */
export function assertAllowedType(contentType: string, allowed: readonly string[] | null): void {
  const essence = essenceOf(contentType)
  const isAllowed =
    allowed === null ||
    allowed.some((type) => {
      const wanted = type.toLowerCase()
      return (
        wanted === '*/*' ||
        wanted === essence ||
        (wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1)))
      )
    })
  if (isAllowed && CONTENT_TYPE.test(contentType) && contentType.length <= MAX_CONTENT_TYPE_LENGTH) return
  const shown = essence.slice(0, 100).replace(/[^\x20-\x7e]/g, '\ufffd')
  throw new AppError('MIME_TYPE_REFUSED', { text: `mime type ${shown} is not supported` })
}

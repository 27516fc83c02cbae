import type { PictureSize } from '@pegasus/contracts/media/hosted-objects'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { LinkClaims, LinkTokens } from './link-token.ts'

const SCOPE = 'download'

interface DownloadClaims extends LinkClaims {
  transform?: PictureSize
  /** The identity of the bucket. Missing in tokens of earlier versions. */
  bucket_uid?: string
}

/** The values for which a URL was signed. */
export interface LinkedMedia {
  bucket: string
  /** The identity of the bucket. Missing in URLs of earlier versions. */
  bucketUid?: string | undefined
  /** The name of the object in its bucket. */
  name: string
  /** The size of a scaled picture. Not set for the original file. */
  size?: PictureSize | undefined
}

/**
 * Signs and checks URLs that open one file without a sign-in. They have the form of the hosted service,
 * with a token that contains the name and the expiry.
 */
export interface MediaLinks {
  /**
   * Returns the URL, relative to `/storage/v1`, with its token. With a size, the URL is for a scaled
   * picture; otherwise it is for the original file.
   */
  sign(media: LinkedMedia, seconds: number): Promise<string>
  /**
   * Returns the signed values. Throws LINK_INVALID or LINK_OUTDATED, or LINK_OF_OTHER if the URL was signed for a
   * different file, or if only one of the URL and the request is for a scaled picture.
   */
  read(
    token: string | undefined,
    asked: { bucket: string; name: string; isSized: boolean },
  ): Promise<LinkedMedia>
}

export function createMediaLinks({ tokens }: { tokens: LinkTokens }): MediaLinks {
  return {
    async sign({ bucket, bucketUid, name, size }, seconds) {
      const url = `${bucket}/${name}`
      const claims = { url, scope: SCOPE, bucket_uid: bucketUid, ...(size && { transform: size }) } as const
      const token = await tokens.sign(claims, seconds)
      return `/${size ? 'render/image' : 'object'}/sign/${url}?token=${token}`
    },

    async read(token, { bucket, name, isSized }) {
      const asked = { url: `${bucket}/${name}`, scope: SCOPE } as const
      const { transform, bucket_uid: bucketUid } = await tokens.read<DownloadClaims>(token, asked)
      if (isSized !== (transform !== undefined)) throw new AppError('LINK_OF_OTHER')
      return { bucket, bucketUid, name, size: transform }
    },
  }
}

import type { PictureSize } from '@pegasus/contracts/media/hosted-objects'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { LinkClaims, LinkTokens } from './link-token.ts'

const SCOPE = 'download'

interface DownloadClaims extends LinkClaims {
  transform?: PictureSize
}

/** The values that an address was signed for. */
export interface LinkedMedia {
  bucket: string
  /** Name of the object in its bucket. */
  name: string
  /** The size, if it is a scaled picture. */
  size?: PictureSize | undefined
}

/**
 * Signed addresses that read one file without a sign-in, in the hosted service's form: a token with its name and its
 * expiry.
 */
export interface MediaLinks {
  /** The address below `/storage/v1` with its token, for the file itself or, with a size, for a scaled picture. */
  sign(media: LinkedMedia, seconds: number): Promise<string>
  /** Throws LINK_INVALID, LINK_OUTDATED, or LINK_OF_OTHER if it was signed for another file or size. */
  read(
    token: string | undefined,
    asked: { bucket: string; name: string; isSized: boolean },
  ): Promise<LinkedMedia>
}

export function createMediaLinks({ tokens }: { tokens: LinkTokens }): MediaLinks {
  return {
    async sign({ bucket, name, size }, seconds) {
      const url = `${bucket}/${name}`
      const token = await tokens.sign({ url, scope: SCOPE, ...(size && { transform: size }) }, seconds)
      return `/${size ? 'render/image' : 'object'}/sign/${url}?token=${token}`
    },

    async read(token, { bucket, name, isSized }) {
      const asked = { url: `${bucket}/${name}`, scope: SCOPE } as const
      const { transform } = await tokens.read<DownloadClaims>(token, asked)
      if (isSized !== (transform !== undefined)) throw new AppError('LINK_OF_OTHER')
      return { bucket, name, size: transform }
    },
  }
}

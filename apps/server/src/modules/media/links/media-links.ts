import type { PictureSize } from '@pegasus/contracts/media/hosted-objects'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { LinkClaims, LinkTokens } from './link-token.ts'

const SCOPE = 'download'

interface DownloadClaims extends LinkClaims {
  transform?: PictureSize
}

/** What an address was signed for. */
export interface LinkedMedia {
  bucket: string
  /** Name of the object in its bucket. */
  name: string
  /** The size it comes in, where it is a picture made smaller. */
  size?: PictureSize | undefined
}

/** Addresses that read one file without signing in, in the hosted service's form: a token with its name and its end. */
export interface MediaLinks {
  /** The address below `/storage/v1`, with its token; of the file as it is or, where a size is named, as a picture. */
  sign(media: LinkedMedia, seconds: number): Promise<string>
  /** Throws LINK_INVALID, LINK_OUTDATED, or LINK_OF_OTHER where it was signed for another file or another reading of it. */
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

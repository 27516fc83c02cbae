import type { PictureSize } from '@pegasus/contracts/hosted-storage'
import { errors, jwtVerify, SignJWT } from 'jose'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'

const SCOPE = 'download'
/** With the longest name there may be, and room for a size. */
const MAX_TOKEN_LENGTH = 2048

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

export function createMediaLinks({ key, clock }: { key: Uint8Array; clock: Clock }): MediaLinks {
  const claimsOf = async (token: string | undefined) => {
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new AppError('LINK_INVALID')
    try {
      const options = { algorithms: ['HS256'], requiredClaims: ['url', 'exp'], currentDate: clock.now() }
      return (await jwtVerify<{ url: string; scope: string; transform?: PictureSize }>(token, key, options))
        .payload
    } catch (cause) {
      throw new AppError(cause instanceof errors.JWTExpired ? 'LINK_OUTDATED' : 'LINK_INVALID', { cause })
    }
  }

  return {
    async sign({ bucket, name, size }, seconds) {
      const url = `${bucket}/${name}`
      const now = Math.floor(clock.now().getTime() / SECOND_MS)
      const token = await new SignJWT({ url, scope: SCOPE, ...(size && { transform: size }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(key)
      return `/${size ? 'render/image' : 'object'}/sign/${url}?token=${token}`
    },

    async read(token, { bucket, name, isSized }) {
      const { url, scope, transform } = await claimsOf(token)
      const isThis = url === `${bucket}/${name}` && scope === SCOPE && isSized === (transform !== undefined)
      if (!isThis) throw new AppError('LINK_OF_OTHER')
      return { bucket, name, size: transform }
    },
  }
}

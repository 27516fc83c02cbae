import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'

/** The maximum length of a token. It is enough for the longest name and the other signed values. */
const MAX_TOKEN_LENGTH = 2048

/** The values in every signed URL: the bucket with the path, and the purpose. */
export interface LinkClaims {
  url: string
  scope: 'download' | 'upload'
}

/** Signs and verifies the tokens of URLs that work without a sign-in. */
export interface LinkTokens {
  sign<C extends LinkClaims>(claims: C, seconds: number): Promise<string>
  /**
   * Returns the signed values. Throws LINK_INVALID, LINK_OUTDATED, or LINK_OF_OTHER if the token was signed for another
   * file or purpose.
   */
  read<C extends LinkClaims>(token: string | undefined, asked: LinkClaims): Promise<C>
}

export function createLinkTokens({ key, clock }: { key: Uint8Array; clock: Clock }): LinkTokens {
  const verify = async <C extends LinkClaims>(token: string | undefined): Promise<C> => {
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) throw new AppError('LINK_INVALID')
    try {
      const options = { algorithms: ['HS256'], requiredClaims: ['url', 'exp'], currentDate: clock.now() }
      return (await jwtVerify<C>(token, key, options)).payload
    } catch (cause) {
      throw new AppError(cause instanceof errors.JWTExpired ? 'LINK_OUTDATED' : 'LINK_INVALID', { cause })
    }
  }

  return {
    async sign(claims, seconds) {
      const now = Math.floor(clock.now().getTime() / SECOND_MS)
      return new SignJWT(claims as unknown as JWTPayload)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(key)
    },

    async read<C extends LinkClaims>(token: string | undefined, { url, scope }: LinkClaims) {
      const claims = await verify<C>(token)
      if (claims.url !== url || claims.scope !== scope) throw new AppError('LINK_OF_OTHER')
      return claims
    },
  }
}

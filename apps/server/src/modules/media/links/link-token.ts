import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'

/** With the longest name there may be, and room for what else is signed. */
const MAX_TOKEN_LENGTH = 2048

/** What every address that we sign names: bucket and path, and what it is good for. */
export interface LinkClaims {
  url: string
  scope: 'download' | 'upload'
}

/** The tokens of addresses that need no sign-in. */
export interface LinkTokens {
  sign<C extends LinkClaims>(claims: C, seconds: number): Promise<string>
  /** What was signed. Throws LINK_INVALID, LINK_OUTDATED, or LINK_OF_OTHER where that was for another file or use. */
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

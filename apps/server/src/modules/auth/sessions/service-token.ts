import type { ServiceKeyRole } from '@pegasus/contracts/service-keys'
import { SignJWT } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

/**
 * Signs the JWT of a service key, which has a role of the hosted protocol and no account. The role is the first field
 * of the payload. So such a JWT can be recognized without decoding every access token.
 */
export type SignServiceToken = (claims: {
  id: string
  role: ServiceKeyRole
  issuedAt: Date
  expiresAt: Date
}) => Promise<string>

export const createServiceTokens =
  ({ keys, publicUrl }: { keys: SigningKeys; publicUrl: string }): SignServiceToken =>
  async ({ id, role, issuedAt, expiresAt }) => {
    const { kid, privateKey } = await keys.active()
    return new SignJWT({ role })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .setIssuer(`${publicUrl}/auth/v1`)
      .setJti(id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey)
  }

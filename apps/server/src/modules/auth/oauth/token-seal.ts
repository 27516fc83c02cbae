import * as z from 'zod/mini'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { ProviderTokens } from '../sessions/sessions.service.ts'

const PURPOSE = 'provider-tokens'
const providerTokens = z.object({ accessToken: z.string(), refreshToken: z.nullable(z.string()) })

/** Encrypts and decrypts the tokens from a provider, which the database stores until the client fetches them. */
export interface TokenSeal {
  seal(tokens: ProviderTokens): string
  open(sealed: string): ProviderTokens
}

export const createTokenSeal = (secret: RootSecret): TokenSeal => ({
  seal: ({ accessToken, refreshToken }) =>
    secret.seal(PURPOSE, JSON.stringify({ accessToken, refreshToken })),
  open: (sealed) => providerTokens.parse(JSON.parse(secret.open(PURPOSE, sealed).toString())),
})

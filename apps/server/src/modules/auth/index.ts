import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { RootSecret } from '../../platform/secrets/root-secret.ts'
import { createAccessTokens } from './access-token.ts'
import { addAuthRoutes } from './auth.routes.ts'
import { createGuard } from './guard.ts'
import { addHostedAuthRoutes } from './hosted-auth.routes.ts'
import { type Owner, createOwner } from './owner.ts'
import { createPasswordHashing } from './password-hashing.ts'
import { createRefreshTokens } from './refresh-token.ts'
import { createSessions } from './sessions.service.ts'
import { DEFAULT_SIGN_IN_LIMITS, type SignInLimitOptions, createSignInLimits } from './sign-in-limits.ts'
import { createSignIn } from './sign-in.service.ts'
import { loadSigningKeys } from './signing-keys.ts'

export type { OwnerSettings, OwnerSignIn } from './owner.ts'
export type { SignInLimitOptions } from './sign-in-limits.ts'

export interface Auth {
  guard: Guard
  owner: Owner
  addRoutes(endpoints: Endpoints): void
}

/** Accounts, sessions and sign-in. Throws StartupError where the root secret does not fit the database. */
export async function createAuth(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  signer: PathSigner
  publicUrl: string
  version: string
  limits?: SignInLimitOptions
}): Promise<Auth> {
  const { database, clock, secret, version } = deps
  const [keys, hashing] = await Promise.all([loadSigningKeys(database, secret), createPasswordHashing()])
  const accessTokens = createAccessTokens({ keys, publicUrl: deps.publicUrl, clock })
  const refreshTokens = createRefreshTokens(secret.deriveKey('refresh-tokens'))
  const sessions = createSessions({ database, clock, accessTokens, refreshTokens })
  const limits = createSignInLimits({ database, clock }, deps.limits ?? DEFAULT_SIGN_IN_LIMITS)
  const signIn = createSignIn({ database, clock, hashing, limits, sessions })

  return {
    guard: createGuard({ sessions, signer: deps.signer }),
    owner: createOwner({ database, clock, secret, hashing }),
    addRoutes(endpoints) {
      addAuthRoutes(endpoints, { signIn, database, clock })
      addHostedAuthRoutes(endpoints, { signIn, sessions, keys, database, version })
    },
  }
}

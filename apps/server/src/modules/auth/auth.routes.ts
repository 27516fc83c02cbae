import { changePassword, getMe, login, reauthenticate } from '@pegasus/contracts/auth'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { findPerson, presentCurrentUser } from '../users/index.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import { recentUntil } from './recent-sign-in.ts'
import type { Device } from './sessions.service.ts'
import type { SignIn } from './sign-in.service.ts'

export const deviceOf = (request: FastifyRequest): Device => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
})

/** Sign-in and the own account, in the product API's words. */
export function addAuthRoutes(
  endpoints: Endpoints,
  deps: { signIn: SignIn; database: Database; clock: Clock },
): void {
  endpoints.add(login, async ({ body, request }) => {
    const credentials = { name: body.username, kind: 'username-or-email', password: body.password } as const
    const session = await deps.signIn.withPassword(credentials, deviceOf(request))
    const person = await findPerson(deps.database.sql, session.account.id)
    if (!person) throw new Error(`account ${session.account.id} is gone`)
    return {
      access_token: session.accessToken,
      refresh_token: session.refreshToken,
      token_type: 'bearer' as const,
      expires_in: ACCESS_TOKEN_SECONDS,
      expires_at: session.expiresAt,
      user: presentCurrentUser(person),
    }
  })

  endpoints.add(getMe, async ({ user }) => user.user)

  endpoints.add(reauthenticate, async ({ user, body, request }) => {
    const at = await deps.signIn.reauthenticate(user, body.password, deviceOf(request))
    return { authenticated_at: at.toISOString(), valid_until: recentUntil(at).toISOString() }
  })

  endpoints.add(changePassword, async ({ user, body, request }) => {
    await deps.signIn.changePassword(user, body, deviceOf(request))
    return { message: 'Password changed successfully' }
  })
}

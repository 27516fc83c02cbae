import { getMe, login, reauthenticate } from '@pegasus/contracts/auth/sign-in'
import { changePassword } from '@pegasus/contracts/auth/passwords'
import { endOwnSession, listOwnSessions, updateProfile } from '@pegasus/contracts/auth/own-account'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { revisionIn } from '../../platform/http/etag.ts'
import { pageRequestOf } from '../../platform/http/paging.ts'
import type { SignedInUsers } from './hosted/hosted-user.service.ts'
import type { OwnPassword } from './own-account/own-password.service.ts'
import type { Profile } from './own-account/profile.service.ts'
import type { OwnSessions } from './sessions/own-sessions.service.ts'
import { recentUntil } from './sessions/recent-sign-in.ts'
import type { SignIn } from './sign-in/sign-in.service.ts'
import { deviceOf } from './audit/device.ts'

/** Adds the endpoints of our own API for signing in and for the caller's own account. */
export function addAuthRoutes(
  endpoints: Endpoints,
  deps: {
    signIn: SignIn
    ownPassword: OwnPassword
    profile: Profile
    ownSessions: OwnSessions
    person: SignedInUsers
  },
): void {
  endpoints.add(login, async ({ body, request }) => {
    const credentials = { name: body.username, kind: 'username-or-email', password: body.password } as const
    const session = await deps.signIn.withPassword(credentials, deviceOf(request))
    return {
      access_token: session.accessToken,
      refresh_token: session.refreshToken,
      token_type: 'bearer' as const,
      expires_in: session.expiresIn,
      expires_at: session.expiresAt,
      user: await deps.person.asCurrentUser(session.account.id),
    }
  })

  endpoints.add(getMe, async ({ user }) => user.user)

  endpoints.add(updateProfile, async ({ user, body, request }) => {
    const options = { revision: revisionIn(request), device: deviceOf(request) }
    const person = await deps.profile.update(user, body, options)
    return person
  })

  endpoints.add(reauthenticate, async ({ user, body, request }) => {
    const at = await deps.signIn.reauthenticate(user, body, deviceOf(request))
    return { authenticated_at: at.toISOString(), valid_until: recentUntil(at).toISOString() }
  })

  endpoints.add(changePassword, async ({ user, body, request }) => {
    await deps.ownPassword.change(user, body, deviceOf(request))
    return { message: 'Password changed successfully' }
  })

  endpoints.add(listOwnSessions, async ({ user, query }) => deps.ownSessions.list(user, pageRequestOf(query)))

  endpoints.add(endOwnSession, async ({ user, params, request, reply }) => {
    await deps.ownSessions.end(user, params.id, deviceOf(request))
    return reply.send()
  })
}

import { changePassword, getMe, login, reauthenticate } from '@pegasus/contracts/auth'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { deviceOf } from './device.ts'
import { recentUntil } from './recent-sign-in.ts'
import type { SignIn } from './sign-in.service.ts'
import type { SignedInPerson } from './signed-in-person.service.ts'

/** Sign-in and the own account, in the product API's words. */
export function addAuthRoutes(endpoints: Endpoints, deps: { signIn: SignIn; person: SignedInPerson }): void {
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

  endpoints.add(reauthenticate, async ({ user, body, request }) => {
    const at = await deps.signIn.reauthenticate(user, body.password, deviceOf(request))
    return { authenticated_at: at.toISOString(), valid_until: recentUntil(at).toISOString() }
  })

  endpoints.add(changePassword, async ({ user, body, request }) => {
    await deps.signIn.changePassword(user, body, deviceOf(request))
    return { message: 'Password changed successfully' }
  })
}

import { expect, it, vi } from 'vitest'
import { readClaims } from './access-token.ts'

const token = (payload: object): string =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`

it.each([
  [{ aal: 'aal1', amr: [{ method: 'password' }] }, 'password', false],
  [{ aal: 'aal1', amr: [{ method: 'recovery' }] }, 'recovery', false],
  // The newest method is first, so the sign-in method follows the second step.
  [{ aal: 'aal2', amr: [{ method: 'totp' }, { method: 'invite' }] }, 'invite', true],
  [{ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, { method: 'invite' }] }, 'invite', true],
  [{ aal: 'aal2', amr: [{ method: 'mfa/phone' }, { method: 'recovery' }] }, 'recovery', true],
  [{ aal: 'aal2', amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }] }, 'password', true],
  [{ email: 'zoë@example.com' }, null, false],
])('an access token with %j is parsed', (payload, method, isSecondFactorProved) => {
  const claims = { method, sessionId: null, isSecondFactorProved }
  expect(readClaims(token(payload))).toEqual(claims)
  expect(readClaims(token({ ...payload, session_id: 's1' }))).toEqual({ ...claims, sessionId: 's1' })
})

it.each(['', 'opaque', 'a.b.c'])(
  'readClaims treats %j as a token without claims, and logs a warning',
  (opaque) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    expect(readClaims(opaque)).toEqual({ method: null, sessionId: null, isSecondFactorProved: false })
    expect(warn).toHaveBeenCalledOnce()
  },
)

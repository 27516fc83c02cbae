import { logWarning } from '../browser/log.ts'

export interface TokenClaims {
  /** The sign-in method, not counting the second step. */
  method: string | null
  /** The id of the session, which stays the same when its token is renewed. */
  sessionId: string | null
  /** True if the session has passed the second step. */
  isSecondFactorProved: boolean
}

const SECOND_STEPS: readonly (string | undefined)[] = [
  'totp',
  'mfa/totp',
  'mfa/webauthn',
  'mfa/phone',
  'mfa/recovery_code',
  'recovery_code',
]

/** Reads the session's data from an access token, for display only. The server decides what a session may do. */
export function readClaims(accessToken: string): TokenClaims {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const {
      aal,
      amr = [],
      session_id: sessionId = null,
    } = JSON.parse(atob(payload)) as {
      aal?: string
      amr?: { method?: string }[]
      session_id?: string
    }
    const first = amr.find(({ method }) => !SECOND_STEPS.includes(method))
    return { method: first?.method ?? null, sessionId, isSecondFactorProved: aal === 'aal2' }
  } catch (error) {
    logWarning('The access token could not be read.', error)
    return { method: null, sessionId: null, isSecondFactorProved: false }
  }
}

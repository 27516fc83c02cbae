import { logWarning } from '../browser/log.ts'

export interface TokenClaims {
  /** How the session was opened, before any second step. */
  method: string | null
  /** Whether the account's second factor was proved in it. */
  isSecondFactorProved: boolean
}

const SECOND_STEPS: readonly (string | undefined)[] = [
  'totp',
  'mfa/totp',
  'mfa/recovery_code',
  'recovery_code',
]

/** What an access token says of its session. Only for what is shown: what a session may do, the server decides. */
export function readClaims(accessToken: string): TokenClaims {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { aal, amr = [] } = JSON.parse(atob(payload)) as { aal?: string; amr?: { method?: string }[] }
    const first = amr.find(({ method }) => !SECOND_STEPS.includes(method))
    return { method: first?.method ?? null, isSecondFactorProved: aal === 'aal2' }
  } catch (error) {
    logWarning('The access token could not be read.', error)
    return { method: null, isSecondFactorProved: false }
  }
}

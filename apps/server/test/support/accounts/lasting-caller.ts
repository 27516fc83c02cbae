import type { Role } from '@pegasus/contracts/roles'
import type { TestApp } from '../build-test-app.ts'

/**
 * Headers for many calls with the same role. If a call may have ended the session, the next call uses a new account.
 */
export interface LastingCaller {
  headers(): Promise<{ authorization: string }>
  /** Must be called with every response. After a 401 or a successful change, the session may have ended. */
  saw(method: string, statusCode: number): void
}

export function lastingCaller(app: TestApp, role: Role): LastingCaller {
  let current: { authorization: string } | null = null
  return {
    headers: async () => (current ??= await app.as(role)),
    saw(method, statusCode) {
      if (statusCode === 401 || (method !== 'GET' && statusCode < 400)) current = null
    },
  }
}

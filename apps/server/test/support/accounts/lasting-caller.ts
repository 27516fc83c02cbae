import type { Role } from '@pegasus/contracts/roles'
import type { TestApp } from '../build-test-app.ts'

/** An account that makes many calls. */
export interface LastingCaller {
  headers(): Promise<{ authorization: string }>
  /**
   * Call this with every response. A successful change or a 401 may mean that the session has ended, so the
   * next call then uses a new account.
   */
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

import type { Role } from '@pegasus/contracts/roles'
import type { TestApp } from '../build-test-app.ts'

/** One account for many calls. */
export interface LastingCaller {
  /** The `Authorization` header. */
  headers(): Promise<{ authorization: string }>
  /**
   * Tell it every response. A change that succeeded may have ended the session, and 401 may say so; the next call then
   * gets a new account.
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

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { getAccount } from '../accounts/accounts.queries.ts'
import { auditRefusedSignIn } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AttemptLimits } from '../rate-limit/attempt-limits.ts'

/** Records sign-ins and links that are refused after the provider has responded. */
export interface RefusedIdentities {
  /**
   * Records a refusal in the audit, and counts it so that nobody can flood the audit. Ignores server errors.
   * `accountId` is the account to which the identity was to be linked, or null.
   */
  note(error: unknown, accountId: string | null, device: Device): Promise<void>
}

/** Errors that are already recorded at the place where they occur. */
const RECORDED: ReadonlySet<string> = new Set(['PROVIDER_FAILED', 'TOO_MANY_SIGN_INS', 'TOO_MANY_REQUESTS'])

export function createRefusedIdentities(deps: {
  database: Database
  clock: Clock
  limits: AttemptLimits
}): RefusedIdentities {
  const { database, clock, limits } = deps
  return {
    async note(error, accountId, device) {
      if (!(error instanceof AppError) || RECORDED.has(error.code)) return
      await limits.count({ key: 'oauth', ip: device.ip })
      const reason = error.reason ?? error.code.toLowerCase()
      await database.transaction(async (tx) => {
        const account = accountId === null ? null : await getAccount(tx, accountId)
        await auditRefusedSignIn(tx, { account, reason }, device, clock.now())
      })
    },
  }
}

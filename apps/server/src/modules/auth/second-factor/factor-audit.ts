import type { Clock } from '../../../platform/clock.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { Attempt } from '../rate-limit/attempt-limits.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { FactorRow } from './factors.queries.ts'

/** A factor, by the name of whose it is; null where no single one is meant. */
export const factorThing = (
  id: string | null,
  person: { username: string; full_name?: string },
): Pick<AuditEvent, 'entity' | 'entityId' | 'entityName'> => ({
  entity: 'factor',
  entityId: id,
  entityName: person.full_name || person.username,
})

/** What of a factor is told: nothing that makes codes. */
export const factorFields = ({ factor_type, friendly_name }: FactorRow) => ({ factor_type, friendly_name })

/** A code that somebody signed in tries: counted for account and address, and written down where it is wrong. */
export const codeAttempt = (
  { accountId, user }: UserPrincipal,
  { id, type }: { id: string | null; type: FactorRow['factor_type'] },
  { device, clock }: { device: Device; clock: Clock },
): Attempt => ({
  key: accountId,
  accountId,
  isOwn: true,
  ip: device.ip,
  onWrong: async (tx) => {
    const after = { factor_type: type, reason: 'wrong_code' }
    const event = { action: 'factor.refused', ...factorThing(id, user), after } as const
    await writeAudit(tx, event, ownAuditContext(user, device, clock.now()))
  },
})

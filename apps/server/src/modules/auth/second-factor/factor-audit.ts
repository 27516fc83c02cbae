import type { Clock } from '../../../platform/clock.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { Attempt } from '../rate-limit/attempt-limits.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { FactorRow } from './factors.queries.ts'

/**
 * Returns a factor as the subject of an audit entry, under the name of its account. `id` is null for an entry about
 * several factors.
 */
export const factorEntity = (
  id: string | null,
  person: { username: string; full_name?: string },
): Pick<AuditEvent, 'entity' | 'entityId' | 'entityName'> => ({
  entity: 'factor',
  entityId: id,
  entityName: person.full_name || person.username,
})

/** Picks the fields of a factor that the audit shows. They do not reveal any codes. */
export const factorFields = ({ factor_type, friendly_name }: FactorRow) => ({ factor_type, friendly_name })

/**
 * Returns an attempt of a signed-in person to prove a factor, for the limits of the account and the IP address. A wrong
 * proof is recorded in the audit. `refusal.reason` is read only after the check, because the check may set it.
 */
export const codeAttempt = (
  { accountId, user }: UserPrincipal,
  { id, type }: { id: string | null; type: FactorRow['factor_type'] },
  { device, clock, refusal }: { device: Device; clock: Clock; refusal?: { reason: string } },
): Attempt => ({
  key: accountId,
  accountId,
  isOwn: true,
  ip: device.ip,
  onWrong: async (tx) => {
    const after = { factor_type: type, reason: refusal?.reason ?? 'wrong_code' }
    const event = { action: 'factor.refused', ...factorEntity(id, user), after } as const
    await writeAudit(tx, event, ownAuditContext(user, device, clock.now()))
  },
})

import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { claimRefusalSlot } from './refused-sign-ins.queries.ts'

/** Records in the audit the actions that signed-in people attempted without permission. */
export interface Refusals {
  /**
   * Records that an account was refused at an endpoint that changes data or is only for admins. Writes at
   * most one entry per minute for each account and endpoint, so that nobody can flood the audit.
   */
  note(principal: UserPrincipal, endpoint: Endpoint, request: FastifyRequest): Promise<void>
  /**
   * Runs `work`, the main part of a request, and records its refusals. Use it for refusals that only this work can
   * detect.
   */
  watch<T>(
    call: { user: UserPrincipal; request: FastifyRequest },
    endpoint: Endpoint,
    work: () => Promise<T>,
  ): Promise<T>
}

const isWorthNoting = ({ method, access }: Endpoint): boolean =>
  method !== 'GET' || access === 'admin' || access === 'owner'

/**
 * The errors for a role that is too low. Other 403 errors only ask the person for a further step, such as signing in
 * again.
 */
const BY_RANK: readonly string[] = ['FORBIDDEN', 'OWNERS_ONLY', 'OWN_ROLE', 'KEY_OWNERS_ONLY']

const isByRank = (error: unknown): boolean => error instanceof AppError && BY_RANK.includes(error.code)

export function createRefusals(deps: { database: Database; clock: Clock }): Refusals {
  const { database, clock } = deps

  const note: Refusals['note'] = async (principal, endpoint, request) => {
    if (!isWorthNoting(endpoint)) return
    const audit = auditContextOf(request, principal, clock)
    const name = `${endpoint.method} ${endpoint.path}`
    await database.transaction(async (tx) => {
      const slot = { accountId: principal.accountId, endpoint: name }
      if (!(await claimRefusalSlot(tx, slot, audit.now))) return
      const after = { role: principal.user.role }
      await writeAudit(tx, { action: 'access.refused', entity: 'endpoint', entityId: name, after }, audit)
    })
  }

  return {
    note,
    async watch({ user, request }, endpoint, work) {
      try {
        return await work()
      } catch (error) {
        if (isByRank(error)) await note(user, endpoint, request)
        throw error
      }
    },
  }
}

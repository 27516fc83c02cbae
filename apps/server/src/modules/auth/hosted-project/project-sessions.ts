import { hash } from 'node:crypto'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { FifoCache } from '../../../platform/fifo-cache.ts'
import type { SafeCall } from '../../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { writeAudit } from '../../audit/index.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { Sessions } from '../sessions/sessions.service.ts'
import { type ProjectPerson, createProjectCalls } from './project-calls.ts'
import { createProjectKeys } from './project-keys.ts'
import type { HostedProject } from './project-settings.ts'
import { type ProjectClaims, createProjectTokens } from './project-tokens.ts'
import { createRoleCheck } from './role-check.ts'
import { admitPerson, closeShadow, rightsOf } from './shadow-accounts.ts'
import { endShadowSession, saveShadowSession } from './shadow-accounts.queries.ts'

/**
 * How often the server asks the project about a person. A new role or a sign-out there takes effect here within this
 * time.
 */
const CHECKED_MS = 60 * SECOND_MS
/** How long the last result stays valid while the project does not respond. */
const KEPT_MS = 600 * SECOND_MS
const MAX_REMEMBERED = 5000

interface Known {
  claims: ProjectClaims
  accountId: string
  hasFactor: boolean
  checkedAt: Date
}

interface ProjectSessions extends Sessions {
  /**
   * Reads the roles of all people with access again, including people who no longer use this server. Call this about
   * once an hour.
   */
  recheckRoles(): Promise<void>
}

const hasFactor = ({ factors }: ProjectPerson): boolean =>
  (factors ?? []).some(({ status, factor_type: type }) => status === 'verified' && type !== 'recovery_code')

/**
 * Creates the sessions of a server with a hosted project. They are those of this server, except that access tokens come
 * from the project. Each person of the project gets an account here without a password. Each of their sessions gets a
 * row that ends with its token.
 */
export function createProjectSessions(deps: {
  project: HostedProject
  call: SafeCall
  sessions: Sessions
  database: Database
  clock: Clock
  log: ServiceLog
}): ProjectSessions {
  const { project, sessions, database, clock } = deps
  const calls = createProjectCalls(deps)
  const verify = createProjectTokens({ project, clock, findKey: createProjectKeys({ calls, clock }) })
  const checkedTokens = new FifoCache<Known>(MAX_REMEMBERED)
  const checking = new Map<string, Promise<Known>>()

  /** Reads the person and the role from the project, and updates the account and the session here. */
  const check = async (token: string, claims: ProjectClaims, device: Device): Promise<Known> => {
    const [person, row] = await Promise.all([calls.findPerson(token), calls.findRole(claims.userId)])
    if (person?.id.toLowerCase() !== claims.userId) {
      await endShadowSession(database.sql, claims.sessionId)
      throw new AppError('SESSION_NOT_FOUND')
    }
    const now = clock.now()
    const rights = await admittedRights(person, row)
    const isRaised = !hasFactor(person) || claims.aal === 'aal2'
    const accountId = await database.transaction(async (tx) => {
      const id = await admitPerson(tx, person, rights, now)
      const isNew = await saveShadowSession(tx, claims, { accountId: id, isRaised, ...device, now })
      const summary = await getAccountSummary(tx, id)
      const event = { ...sessionEntity(claims.sessionId, summary), after: { method: 'hosted-project' } }
      if (isNew)
        await writeAudit(tx, { action: 'session.opened', ...event }, ownAuditContext(summary, device, now))
      return id
    })
    return { claims, accountId, hasFactor: hasFactor(person), checkedAt: now }
  }

  const admittedRights = async (person: ProjectPerson, row: Parameters<typeof rightsOf>[0]) => {
    try {
      return rightsOf(row, { isAnonymous: person.is_anonymous === true })
    } catch (error) {
      await database.transaction((tx) => closeShadow(tx, person, clock.now()))
      throw error
    }
  }

  const checkOnce = (name: string, ...args: Parameters<typeof check>): Promise<Known> => {
    const running = checking.get(name) ?? check(...args).finally(() => checking.delete(name))
    checking.set(name, running)
    return running
  }

  /** Returns the cached data about a token. Asks the project again if the data is older than a minute. */
  const follow = async (token: string, device: Device): Promise<Known> => {
    const name = hash('sha256', token, 'base64')
    const last = checkedTokens.get(name)
    const now = clock.now()
    const isWithin = (ms: number): boolean => last !== undefined && addMs(last.checkedAt, ms) > now
    if (last && last.claims.endsAt <= now) throw new AppError('JWT_EXPIRED')
    if (last && isWithin(CHECKED_MS)) return last
    const claims = last?.claims ?? (await verify(token))
    try {
      const found = await checkOnce(name, token, claims, device)
      checkedTokens.set(name, found)
      return found
    } catch (error) {
      const isOutage = error instanceof AppError && error.code === 'HOSTED_PROJECT_UNAVAILABLE'
      if (isOutage && last && isWithin(KEPT_MS)) return last
      throw error
    }
  }

  return {
    ...sessions,
    recheckRoles: createRoleCheck({ calls, database, clock }),
    async authenticate(accessToken, device) {
      const { claims, accountId, hasFactor: isDemanded } = await follow(accessToken, device)
      const proof = { hasFactor: isDemanded, isRaised: claims.aal === 'aal2' }
      const principal = await sessions.find({ sessionId: claims.sessionId, accountId }, proof)
      if (!principal) throw new AppError('SESSION_NOT_FOUND')
      return principal
    },
  }
}

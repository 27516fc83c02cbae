import type { OwnSession } from '@pegasus/contracts/auth/own-account'
import { type BatchedWrites, createBatchedWrites } from '../../../platform/batching/batched-writes.ts'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Page, PageRequest } from '../../../platform/http/paging.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { writeAudit } from '../../audit/index.ts'
import { ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import {
  type OwnSessionRow,
  type SessionUse,
  listSessionsOf,
  saveSessionUses,
} from './own-sessions.queries.ts'
import { deleteSession } from './sessions.queries.ts'
import { nameDevice } from './user-agent.ts'

const NOTED_FOR_MS = 5 * SECOND_MS

/** Lists and ends the caller's own sessions, and records when each session was last used. */
export interface OwnSessions {
  /** Lists the caller's valid sessions, newest first, including uses that are still buffered. */
  list(principal: UserPrincipal, place: PageRequest): Promise<Page<OwnSession>>
  /** Ends one session. Throws OWN_SESSION_NOT_FOUND, also for a session of another account. */
  end(principal: UserPrincipal, id: string, device: Device): Promise<void>
  /** Records a use of a session in a buffer, which is written later. */
  noteUse(sessionId: string, ip: string): void
  /** Writes the buffered uses. Call this before the server stops. */
  close(): Promise<void>
}

const present = (row: OwnSessionRow, currentId: string): OwnSession => ({
  id: row.id,
  device: nameDevice(row.user_agent),
  user_agent: row.user_agent,
  ip: row.ip,
  methods: row.amr.map(({ method }) => method),
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  is_current: row.id === currentId,
})

export function createOwnSessions(deps: { database: Database; clock: Clock; log: ServiceLog }): OwnSessions {
  const { database, clock, log } = deps
  const uses: BatchedWrites<SessionUse> = createBatchedWrites({
    name: 'uses of sessions',
    intervalMs: NOTED_FOR_MS,
    merge: (_, later) => later,
    write: (values) => database.transaction((tx) => saveSessionUses(tx, values)),
    log,
  })

  return {
    async list({ accountId, sessionId }, place) {
      await uses.flush()
      const page = await listSessionsOf(database.sql, { accountId, now: clock.now() }, place)
      return { ...page, items: page.items.map((row) => present(row, sessionId)) }
    },

    async end({ accountId, user }, id, device) {
      await database.transaction(async (tx) => {
        if (!(await deleteSession(tx, { id, accountId }))) throw new AppError('OWN_SESSION_NOT_FOUND')
        const event = { ...sessionEntity(id, user), after: { scope: 'one' } }
        await writeAudit(
          tx,
          { action: 'session.ended', ...event },
          ownAuditContext(user, device, clock.now()),
        )
      })
    },

    noteUse(sessionId, ip) {
      uses.add(sessionId, { at: clock.now(), ip })
    },

    close: () => uses.close(),
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { type DemoStatus, enterDemo } from '@pegasus/contracts/demo'
import type { AuditContext } from '../../platform/actor.ts'
import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Diversion, ReceivedRequest } from '../../platform/http/divert-requests.ts'
import type { UserPrincipal } from '../../platform/http/principal.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { type Poller, createPoller } from '../../platform/poller.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { writeAudit } from '../audit/index.ts'
import type { FindLinkIssuer } from '../auth/index.ts'
import {
  beginRemoval,
  deleteDemo,
  deleteFailedDemo,
  endMaking,
  findDemo,
  insertDemo,
  isReady,
  noteProgress,
  noteRemoval,
  takeOverDemo,
} from './demo.queries.ts'
import { type DemoRequest, createVisits, readDemoRequest } from './visits.ts'

/** A person who enters the demo: the role in the shop, the IP address, and the user agent of the browser. */
export interface Visitor {
  role: string
  ip: string
  userAgent: string
}

/** Makes and removes demos with their data, and runs their servers. */
export interface DemoShops {
  /** Returns whether the database account may create databases. */
  mayCreate(): Promise<boolean>
  /** Makes a demo. Calls `report` with the progress in percent. If `signal` aborts, throws its reason. */
  make(id: string, report: (percent: number) => void, signal: AbortSignal): Promise<void>
  /** Removes the database, the files and the keys of a demo. Does nothing if they no longer exist. */
  remove(id: string): Promise<void>
  /**
   * Opens a session in the demo, for the demo's own account with the visitor's role. Throws DEMO_SLOW if the demo does
   * not open in time. Throws DEMO_UNAVAILABLE if the sign-in to the demo fails.
   */
  openSession(id: string, visitor: Visitor): Promise<HostedSession>
  /**
   * Returns the server that answers requests to a demo. The server stays open until `ended` resolves, unless the demo
   * is removed. Throws DEMO_SLOW if the server does not open in time. Throws DEMO_UNAVAILABLE if this process has
   * removed the demo.
   */
  serverOf(id: string, ended: Promise<void>): Promise<Extract<Diversion, { to: unknown }>['to']>
  /** Closes the servers of all demos except `readyId`. Also closes that server if nobody has used it for a while. */
  closeUnused(readyId: string | null): Promise<void>
  /** Closes the servers of all demos. */
  close(): Promise<void>
}

/** The demo of a shop. `make`, `remove` and `enter` throw DEMO_UNAVAILABLE if this server cannot make demos. */
export interface Demo {
  /** Returns the state of the demo, and whether this server can make one. */
  read(): Promise<DemoStatus>
  /** Begins to make a demo in the background, unless there is one. Returns the new state. Throws DEMO_RIGHT_MISSING. */
  make(audit: AuditContext): Promise<DemoStatus>
  /**
   * Begins to remove the demo in the background. Only deletes the row of a failed demo. Returns the new state. Throws
   * DEMO_BUSY while the demo is being made.
   */
  remove(audit: AuditContext): Promise<DemoStatus>
  /**
   * Begins a visit. Returns a session in the demo, and the `Set-Cookie` header of the visit. Throws DEMO_NOT_READY, or
   * an error of `DemoShops.openSession`.
   */
  enter(
    user: UserPrincipal,
    device: Omit<Visitor, 'role'>,
  ): Promise<{ session: HostedSession; cookie: string }>
  /** Returns the `Set-Cookie` header that ends a visit. */
  leave(): string
  /** Decides whether a request goes to the demo. Returns null at once if it clearly belongs to the shop. */
  divert(received: ReceivedRequest): Promise<Diversion> | null
  /** Removes demos that a crash has left incomplete, and closes unused servers of demos. Runs on every server. */
  keeper: Poller
  /**
   * Stops making a demo, waits some seconds for unfinished work, and closes the servers of demos. The next start of a
   * server removes an incomplete demo.
   */
  close(): Promise<void>
}

const KEEP_MS = 10 * SECOND_MS
const SIGN_OF_LIFE_MS = 5 * SECOND_MS
/** How long a shutdown waits for unfinished work. */
const CLOSE_MS = 5 * SECOND_MS

export interface DemoDeps {
  database: Database
  clock: Clock
  secret: RootSecret
  /** Null if this server cannot make demos, for example because it is the server of a demo. */
  shops: DemoShops | null
  /** Whether this is the only server that uses the database. */
  isOnlyServer: boolean
  isHttps: boolean
  findSigner: FindLinkIssuer
  log: ServiceLog
}

/** Creates the demo of a shop. Run its `keeper` on every server, and call `close` when the server stops. */
export function createDemo(deps: DemoDeps): Demo {
  const { database, shops, log } = deps
  const { sql } = database
  const visits = createVisits(deps)
  /** Identifies this process in the row of a demo. */
  const worker = randomUUID()
  const closing = new AbortController()
  let work: Promise<void> = Promise.resolve()

  const needShops = (): DemoShops => {
    if (shops === null) throw new AppError('DEMO_UNAVAILABLE')
    return shops
  }

  const readStatus = async (): Promise<DemoStatus> => {
    const [row, mayCreate] = await Promise.all([findDemo(sql), shops?.mayCreate() ?? false])
    const { state = 'none', percent = 0 } = row ?? {}
    return { state: state as DemoStatus['state'], percent, can_be_made: mayCreate }
  }

  /** Removes a demo whose row is in the state `removing`, and then the row. */
  const removeAll = async (id: string): Promise<void> => {
    const alive = setInterval(() => void noteRemoval(sql, worker).catch(() => undefined), SIGN_OF_LIFE_MS)
    try {
      await needShops().remove(id)
      await deleteDemo(sql, id)
    } finally {
      clearInterval(alive)
    }
  }

  const makeAll = async (id: string): Promise<void> => {
    const lost = new AbortController()
    let percent = 0
    const note = async () => {
      if (!(await noteProgress(sql, { id, worker, percent })))
        lost.abort(new Error('The demo was taken over.'))
    }
    let noting: Promise<void> = Promise.resolve()
    const report = (next: number) => {
      if (Math.floor(next) <= percent) return
      percent = Math.floor(next)
      noting = noting.then(note).catch(() => undefined)
    }
    const alive = setInterval(() => void note().catch(() => undefined), SIGN_OF_LIFE_MS)
    try {
      await needShops().make(id, report, AbortSignal.any([closing.signal, lost.signal]))
      await noting
      if (!(await endMaking(sql, { id, worker, state: 'ready' }))) throw new Error('The demo was taken over.')
    } catch (error) {
      // Leave the incomplete demo to the next start of a server, which removes it.
      if (closing.signal.aborted) return
      if (!lost.signal.aborted) log.error({ err: error }, 'the demo could not be made')
      await needShops().remove(id)
      await endMaking(sql, { id, worker, state: 'failed' })
    } finally {
      clearInterval(alive)
    }
  }

  /**
   * Runs `next` in the background after earlier work. If it fails, the keeper of this or another server takes the demo
   * over.
   */
  const run = (next: () => Promise<void>): void => {
    const earlier = work
    work = (async () => {
      await earlier
      try {
        await next()
      } catch (error) {
        log.error({ err: error }, 'work on the demo was put off')
      }
    })()
  }

  const keep = async ({ isAlone }: { isAlone: boolean }): Promise<void> => {
    if (shops === null) return
    const id = await takeOverDemo(sql, { worker, isAlone })
    if (id !== null) {
      log.info({ demo: id }, 'removing a demo that is not complete')
      run(() => removeAll(id))
    }
    const row = await findDemo(sql)
    await shops.closeUnused(row?.state === 'ready' || row?.state === 'making' ? row.id : null)
  }
  let isFirstRound = true

  const choose = async (
    { cookie, isBound, isForeign }: DemoRequest,
    ended: Promise<void>,
  ): Promise<Diversion> => {
    if (isForeign) return { refuse: 'DEMO_ONLY' }
    const refuse = (code: 'DEMO_ENDED' | 'DEMO_SLOW' | 'DEMO_UNAVAILABLE'): Diversion =>
      isBound ? { refuse: code } : null
    const visit = visits.read(cookie)
    if (visit === null || shops === null) return refuse('DEMO_ENDED')
    try {
      // The person's session in the shop must still exist, and the account must still be allowed to enter the demo.
      const person = await deps.findSigner(visit, enterDemo)
      if (person === null || !(await isReady(sql, visit.demoId))) return refuse('DEMO_ENDED')
      return { to: await shops.serverOf(visit.demoId, ended) }
    } catch (error) {
      log.error({ err: error }, 'the demo could not be opened')
      return refuse(error instanceof AppError && error.code === 'DEMO_SLOW' ? error.code : 'DEMO_UNAVAILABLE')
    }
  }

  const keeper = createPoller({
    name: 'the demo',
    pauseMs: KEEP_MS,
    async work() {
      const isAlone = isFirstRound && deps.isOnlyServer
      isFirstRound = false
      await keep({ isAlone })
    },
    log,
  })

  return {
    read: readStatus,
    keeper,
    async make(audit) {
      if (!(await needShops().mayCreate())) throw new AppError('DEMO_RIGHT_MISSING')
      const id = randomUUID()
      const isNew = await database.transaction(async (tx) => {
        if (!(await insertDemo(tx, { id, worker }))) return false
        await writeAudit(tx, { action: 'demo.made', entity: 'demo', entityId: id }, audit)
        return true
      })
      if (isNew) run(() => makeAll(id))
      return readStatus()
    },
    async remove(audit) {
      needShops()
      const id = await database.transaction(async (tx) => {
        const removed = await beginRemoval(tx, worker)
        if (removed !== null)
          await writeAudit(tx, { action: 'demo.removed', entity: 'demo', entityId: removed }, audit)
        return removed
      })
      if (id !== null) run(() => removeAll(id))
      else if ((await findDemo(sql))?.state === 'making') throw new AppError('DEMO_BUSY')
      else await deleteFailedDemo(sql)
      return readStatus()
    },
    async enter(user, device) {
      const row = await findDemo(sql)
      if (row?.state !== 'ready') throw new AppError('DEMO_NOT_READY')
      const session = await needShops().openSession(row.id, { ...device, role: user.user.role })
      const { accountId, sessionId } = user
      return { session, cookie: visits.begin({ demoId: row.id, accountId, sessionId }) }
    },
    leave: () => visits.end(),
    divert({ request, ended }) {
      const asked = readDemoRequest(request)
      return asked && choose(asked, ended)
    },
    async close() {
      closing.abort(new Error('The server stops.'))
      await keeper.stop()
      // A migration in a demo cannot be interrupted. If it takes too long, the next start of a server removes the demo.
      await Promise.race([work, wait(CLOSE_MS, undefined, { ref: false })])
      await shops?.close()
    },
  }
}

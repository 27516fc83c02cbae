import { type Clock, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type Poller, createPoller } from '../../../platform/poller.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { publish } from '../../events/index.ts'
import { readPlanData } from '../matching/waits-for.ts'
import { planDay } from './plan-day.ts'
import { listJobsToPlan, lockPlan, readPlanStamp, savePlan } from './schedule.queries.ts'

const LOOK_FOR_CHANGES_MS = 3 * SECOND_MS
/**
 * After this time, a new plan is made even if nothing has changed. A print that does not start delays all prints after
 * it, so the plan gets later each minute.
 */
const REPLAN_AFTER_MS = MINUTE_MS

/** Keeps the plan of the day up to date with jobs, printers and spools. */
export function createPlanner(deps: { database: Database; clock: Clock; log: ServiceLog }): Poller {
  const { database, clock, log } = deps
  let last = { stamp: '', at: 0 }

  const plan = async (isForced: boolean): Promise<void> => {
    const stamp = await readPlanStamp(database.sql)
    const now = clock.now().getTime()
    // If the last plan seems to be in the future, the clock was set back.
    const isFresh = stamp === last.stamp && Math.abs(now - last.at) < REPLAN_AFTER_MS
    if (isFresh && !isForced) return
    const isPlanned = await database.transaction(async (tx) => {
      if (!(await lockPlan(tx, isForced))) return false
      const runs = planDay(await readPlanData(tx, await listJobsToPlan(tx)), now)
      const [moved] = await savePlan(tx, runs)
      // One event is enough, because clients read all their jobs again.
      if (moved !== undefined) await publish(tx, { type: 'updated', entity: 'print_job', id: moved })
      return true
    })
    // If another process is planning, `last` stays unchanged, so that this process checks again in the next round.
    if (isPlanned) last = { stamp, at: now }
  }

  const poller = createPoller({
    name: 'the plan of the day',
    pauseMs: LOOK_FOR_CHANGES_MS,
    work: () => plan(false),
    log,
  })
  return { ...poller, run: () => plan(true) }
}

import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { type Clock, MINUTE_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { publish } from '../../events/index.ts'
import { setPrinterState } from '../printers/printer-state.ts'
import { createLeaseWatch } from './lease-watch.ts'
import {
  type AgentFacts,
  listIdlePrinters,
  lockAgentPrinter,
  saveClaim,
  saveSeenByJob,
  saveSilence,
} from './silent-printers.queries.ts'

/**
 * An agent without a job still sends a claim every few seconds. If it is silent for longer than this, its printer is
 * offline.
 */
const OFFLINE_AFTER_MS = 5 * MINUTE_MS
const SILENT = `Its agent has not reported for ${OFFLINE_AFTER_MS / MINUTE_MS} minutes.`

/** A claim with the printer that it names and what it states, or the lease of any other call. */
export type AgentCall =
  | { name: string; facts: AgentFacts }
  | { jobId: string; keyId: string; leaseId: string | undefined }

/** Shows the printers of silent agents as offline. Printers that people operate are never offline. */
export interface SilentPrinters {
  /**
   * Records that an agent has called, and what it states in a claim, whether or not the call succeeds. Its printer is
   * no longer offline.
   */
  hear(call: AgentCall, by: AuditContext): Promise<void>
  /**
   * Shows the idle printers of silent agents as offline. Silence is measured as for leases: a jump of the clock and the
   * time in which the server was down do not count.
   */
  showSilent(now: Date): Promise<void>
}

/** Creates the watch for the printers of agents. The process calls `showSilent` every `lookEveryMs`. */
export function createSilentPrinters({
  database,
  clock,
  lookEveryMs,
}: {
  database: Database
  clock: Clock
  lookEveryMs: number
}): SilentPrinters {
  const watch = createLeaseWatch({ clock, leaseMs: OFFLINE_AFTER_MS, lookEveryMs })
  return {
    async hear(call, by) {
      const { sql } = database
      const printer =
        'facts' in call ? await saveClaim(sql, call, by.now) : await saveSeenByJob(sql, call, by.now)
      if (printer?.is_changed) await publish(sql, { type: 'updated', entity: 'printer', id: printer.id })
      if (printer?.kind !== 'agent' || printer.state !== 'offline') return
      await database.transaction(async (tx) => {
        if (await lockAgentPrinter(tx, printer.id, 'offline'))
          await setPrinterState(tx, printer.id, { state: 'available', isReported: true }, by)
      })
    },

    async showSilent(now) {
      watch.noteAll(await listIdlePrinters(database.sql))
      const by: AuditContext = { actor: SYSTEM_ACTOR, now }
      for (const printer of watch.listEnded())
        await database.transaction(async (tx) => {
          if (!(await lockAgentPrinter(tx, printer.id, 'available'))) return
          if (!(await saveSilence(tx, printer))) return
          const change = { state: 'offline', reason: SILENT, isReported: true } as const
          await setPrinterState(tx, printer.id, change, by)
        })
    },
  }
}

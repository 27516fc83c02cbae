import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import type { NetworkPrinter } from '../../print-queue/index.ts'
import { type Claim, type ConnectionRow, lockClaim } from '../connection-claims.queries.ts'
import type { PrinterConnector } from '../connector.ts'
import { CodedError } from '../../../platform/errors/coded-error.ts'

/** One visit of this process to a printer that it has claimed. */
export interface PrinterVisit {
  printer: NetworkPrinter
  connector: PrinterConnector
  claim: Claim
  database: Database
  storage: ObjectStorage
  clock: Clock
  log: ServiceLog
  /** Aborted when the visit has to end. */
  signal: AbortSignal
  /** The upload of this visit. The number of simultaneous uploads is limited. */
  upload: {
    /** Reserves an upload before a plate is started. Returns false if too many other visits are uploading. */
    reserve(): boolean
    /** Releases the reservation, because no plate was started. */
    release(): void
    /** Starts an upload of this size, even beyond the limit, and extends the time of the visit for it. */
    begin(sizeBytes: number): void
  }
  /**
   * Changes the data of the printer. If the claim is no longer valid, throws ClaimLostError, so that a process that was
   * suspended for too long neither writes nor sends anything. After the end of the visit, throws the signal's reason.
   */
  change<T>(work: (tx: TransactionSql, by: AuditContext, connection: ConnectionRow) => Promise<T>): Promise<T>
}

/** Thrown if the claim is lost, because another process has claimed the printer. */
export class ClaimLostError extends CodedError {
  readonly code = 'CLAIM_LOST'
}

/** Returns the actor for changes that printers report. */
const actorOf = ({ name }: NetworkPrinter) => ({ kind: 'system', id: null, name }) as const

export function createPrinterVisit(deps: Omit<PrinterVisit, 'change'>): PrinterVisit {
  const { database, clock, claim, printer, signal } = deps
  return {
    ...deps,
    change: (work) =>
      database.transaction(async (tx) => {
        const connection = await lockClaim(tx, claim)
        signal.throwIfAborted()
        if (!connection) throw new ClaimLostError(`Another process is communicating with ${printer.name}.`)
        return work(tx, { actor: actorOf(printer), now: clock.now() }, connection)
      }),
  }
}

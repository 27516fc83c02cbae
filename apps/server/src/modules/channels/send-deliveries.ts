import { DELIVERY_PAUSES_SECONDS } from '@pegasus/contracts/channels/channels'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound-request.ts'
import type { CallAnswer, SafeCall } from '../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import {
  type ClaimedDelivery,
  type DueRecipient,
  finishDelivery,
  insertAttempt,
  putOffDelivery,
} from './deliveries.queries.ts'
import { isAwake } from './quiet-hours.ts'

/** How long a claim of a delivery is valid. No attempt takes as long. */
const CLAIMED_MS = MINUTE_MS
const NOTE_LENGTH = 200
/**
 * Each pause is randomly lengthened by up to this share. Otherwise a receiver that works again would get all deliveries
 * at once.
 */
const JITTER = 0.2
const UNREACHABLE = 'There was no response.'
const NO_RESPONSE = { kind: 'failed', status: null, durationMs: null, waitMs: 0 } as const

/** One kind of recipient. Its functions find and prepare the deliveries. */
export interface Recipients<D extends ClaimedDelivery> {
  /** Lists the recipients with due deliveries, including those in their quiet hours. */
  listDue(now: Date): Promise<DueRecipient[]>
  /** Claims due deliveries of a recipient. If this process dies, another process sends them after `until`. */
  claim(id: string, range: { now: Date; until: Date }): Promise<D[]>
  /**
   * Returns the request of a delivery, and the address to which to send it. Throws if the request cannot be made, for
   * example if the address was encrypted with another root secret.
   */
  requestFor(delivery: D): Promise<{ address: string; request: OutboundRequest }>
  /** The text for the log of deliveries if a request cannot be made. */
  unreadable: string
  /** The HTTP statuses by which a recipient says that it no longer exists. */
  gone: readonly number[]
  /** Switches off or removes a recipient that no longer exists. */
  switchOff(tx: TransactionSql, delivery: D, now: Date): Promise<void>
}

interface SendDeps {
  database: Database
  clock: Clock
  call: SafeCall
  log: ServiceLog
}

export interface DeliverySender<D extends ClaimedDelivery> {
  /**
   * Sends the due deliveries to all recipients in parallel. A recipient that does not respond delays only its own
   * deliveries.
   */
  sendDue(): Promise<void>
  /** Sends a test message now. A failed test message is not repeated. */
  sendOnce(test: D): Promise<void>
}

type Outcome =
  | { kind: 'delivered'; status: number; durationMs: number }
  | {
      kind: 'failed'
      status: number | null
      note: string
      durationMs: number | null
      waitMs: number
      /** Whether another attempt may succeed. */
      mayRepeat: boolean
    }

/** Creates the sender of deliveries. It records each attempt, and repeats failed deliveries after growing pauses. */
export function createDeliverySender<D extends ClaimedDelivery>(
  { database, clock, call, log }: SendDeps,
  recipients: Recipients<D>,
): DeliverySender<D> {
  const requestFor = async (delivery: D) => {
    try {
      return await recipients.requestFor(delivery)
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'the request of a delivery could not be made')
      return null
    }
  }

  const attempt = async (delivery: D): Promise<Outcome> => {
    const target = await requestFor(delivery)
    if (target === null) return { ...NO_RESPONSE, note: recipients.unreadable, mayRepeat: false }
    const startedAt = performance.now()
    try {
      const answer = await call(target.address, target.request)
      return judge(answer, Math.round(performance.now() - startedAt))
    } catch (error) {
      // Only the log gets the reason, because it would describe our network to people.
      log.info({ err: error, delivery: delivery.id }, 'the recipient of a delivery could not be reached')
      return { ...NO_RESPONSE, note: UNREACHABLE, mayRepeat: true }
    }
  }

  const send = async (delivery: D, { mayRepeat }: { mayRepeat: boolean }): Promise<Outcome> => {
    const at = clock.now()
    const outcome = await attempt(delivery)
    await database.transaction(async (tx) => {
      const { id, attempts: number, tries } = delivery
      await insertAttempt(tx, {
        delivery_id: id,
        number,
        at,
        duration_ms: outcome.durationMs,
        status: outcome.status,
        note: outcome.kind === 'failed' ? outcome.note : null,
      })
      const now = clock.now()
      if (outcome.kind === 'delivered') return finishDelivery(tx, { id, number }, 'delivered', now)
      const pause = DELIVERY_PAUSES_SECONDS[tries - 1]
      const isGone = outcome.status !== null && recipients.gone.includes(outcome.status)
      const isOver = !mayRepeat || !outcome.mayRepeat || pause === undefined || isGone
      if (isOver) await finishDelivery(tx, { id, number }, 'failed', now)
      if (isGone) return recipients.switchOff(tx, delivery, now)
      if (isOver) return
      const pauseMs = Math.max(pause * SECOND_MS, outcome.waitMs)
      await putOffDelivery(tx, { id, number }, addMs(now, pauseMs * (1 + Math.random() * JITTER)))
    })
    return outcome
  }

  /**
   * Sends the due deliveries of one recipient. If it does not respond, stops and leaves the rest to the next round,
   * because each call takes long.
   */
  const sendTo = async (id: string): Promise<void> => {
    for (;;) {
      const now = clock.now()
      const due = await recipients.claim(id, { now, until: addMs(now, CLAIMED_MS) })
      const outcomes = await Promise.all(due.map((delivery) => send(delivery, { mayRepeat: true })))
      if (due.length === 0 || outcomes.some(({ status }) => status === null)) return
    }
  }

  return {
    async sendDue() {
      const now = clock.now()
      const awake = (await recipients.listDue(now)).filter((recipient) => isAwake(recipient, now))
      const ended = await Promise.allSettled(awake.map(({ id }) => sendTo(id)))
      const failed = ended.find((each) => each.status === 'rejected')
      if (failed) throw failed.reason
    },

    async sendOnce(delivery) {
      await send(delivery, { mayRepeat: false })
    },
  }
}

function judge({ status, headers, body }: CallAnswer, durationMs: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status, durationMs }
  const waitMs = Math.min(retryAfterMs(headers['retry-after']), DAY_MS)
  return { kind: 'failed', status, note: noteOf(status, body), durationMs, waitMs, mayRepeat: true }
}

/**
 * Returns the pause in milliseconds that the receiver requests with `Retry-After`. Reads only a number of seconds.
 * Returns 0 for a date or without the header.
 */
const retryAfterMs = (header: string | undefined): number =>
  header !== undefined && /^\d{1,6}(\.\d+)?$/.test(header) ? Number(header) * SECOND_MS : 0

/** Returns the status of a response and the beginning of its text, on one line. Leaves out HTML. */
function noteOf(status: number, body: string): string {
  if (status >= 300 && status < 400) return `${status}: redirects are not followed.`
  const text = body.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return text === '' || text.startsWith('<') ? `${status}` : `${status}: ${text.slice(0, NOTE_LENGTH)}`
}

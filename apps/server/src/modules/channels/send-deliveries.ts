import { DELIVERY_PAUSES_SECONDS } from '@pegasus/contracts/channels'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CallAnswer, SafeCall } from '../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import type { ChannelSecrets } from './channel-keys.ts'
import { channelRequest } from './channel-requests.ts'
import { disableChannel } from './channels.queries.ts'
import {
  type ClaimedDelivery,
  claimDelivery,
  claimDueDeliveries,
  finishDelivery,
  insertAttempt,
  putOffDelivery,
} from './deliveries.queries.ts'

/** Longer than an attempt can take. */
const CLAIMED_MS = MINUTE_MS
const NOTE_LENGTH = 200
/** The pause is up to a fifth longer, so that a receiver that comes back does not get everything at once. */
const JITTER = 0.2
const GONE = 410
const UNREACHABLE = 'There was no response.'

export interface SendDeps {
  database: Database
  clock: Clock
  secrets: ChannelSecrets
  call: SafeCall
  log: ServiceLog
}

export interface DeliverySender {
  /** Sends everything that is due, to several channels at once. */
  sendDue(): Promise<void>
  /** Sends one delivery now. It is not repeated if it fails. */
  sendOnce(id: string): Promise<void>
}

type Outcome =
  | { kind: 'delivered'; status: number; durationMs: number }
  | { kind: 'failed'; status: number | null; note: string; durationMs: number | null; waitMs: number }

/** Sends deliveries, notes each attempt, and repeats failed ones with growing pauses. */
export function createDeliverySender({ database, clock, secrets, call, log }: SendDeps): DeliverySender {
  const keysOf = (delivery: ClaimedDelivery): string[] => {
    const { channel_id: id, key_sealed: key, old_key_sealed: old, old_key_until: until } = delivery
    const isOldInForce = old !== null && until !== null && new Date(until) > clock.now()
    return [key, isOldInForce ? old : null]
      .filter((text) => text !== null)
      .map((text) => secrets.open(id, text))
  }

  const attempt = async (delivery: ClaimedDelivery): Promise<Outcome> => {
    const { id, channel_id: channelId, kind, content } = delivery
    const { address, request } = channelRequest(
      { kind, address: secrets.open(channelId, delivery.address_sealed), keys: keysOf(delivery) },
      { id, event: content, now: clock.now() },
    )
    const startedAt = performance.now()
    try {
      const answer = await call(address, request)
      return judge(answer, Math.round(performance.now() - startedAt))
    } catch (error) {
      // The reason would describe our network, so it is for the log only.
      log.info({ err: error, channel: channelId, delivery: id }, 'a channel could not be reached')
      return { kind: 'failed', status: null, note: UNREACHABLE, durationMs: null, waitMs: 0 }
    }
  }

  const send = async (delivery: ClaimedDelivery, { mayRepeat }: { mayRepeat: boolean }): Promise<void> => {
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
      if (outcome.kind === 'delivered') return finishDelivery(tx, id, 'delivered', now)
      if (outcome.status === GONE)
        await disableChannel(tx, delivery.channel_id, 'The receiver does not exist any more (410 Gone).', now)
      const pause = DELIVERY_PAUSES_SECONDS[tries - 1]
      if (!mayRepeat || pause === undefined || outcome.status === GONE)
        return finishDelivery(tx, id, 'failed', now)
      const pauseMs = Math.max(pause * SECOND_MS, outcome.waitMs)
      return putOffDelivery(tx, id, addMs(now, pauseMs * (1 + Math.random() * JITTER)))
    })
  }

  const claimUntil = () => addMs(clock.now(), CLAIMED_MS)

  return {
    async sendDue() {
      for (;;) {
        const due = await database.transaction((tx) =>
          claimDueDeliveries(tx, { now: clock.now(), until: claimUntil() }),
        )
        if (due.length === 0) return
        await Promise.all(due.map((delivery) => send(delivery, { mayRepeat: true })))
      }
    },

    async sendOnce(id) {
      const delivery = await claimDelivery(database.sql, id, claimUntil())
      if (delivery) await send(delivery, { mayRepeat: false })
    },
  }
}

function judge({ status, headers, body }: CallAnswer, durationMs: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status, durationMs }
  const waitMs = Math.min(retryAfterMs(headers['retry-after']), DAY_MS)
  return { kind: 'failed', status, note: noteOf(status, body), durationMs, waitMs }
}

/** Returns how long the receiver asks to wait. Only the form in seconds is used by chats. */
const retryAfterMs = (header: string | undefined): number =>
  header !== undefined && /^\d{1,6}(\.\d+)?$/.test(header) ? Number(header) * SECOND_MS : 0

/** Returns the status and the beginning of a plain response in one line. */
function noteOf(status: number, body: string): string {
  if (status >= 300 && status < 400) return `${status}: redirects are not followed.`
  const text = body.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return text === '' || text.startsWith('<') ? `${status}` : `${status}: ${text.slice(0, NOTE_LENGTH)}`
}

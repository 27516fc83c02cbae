import { DELIVERY_PAUSES_SECONDS } from '@pegasus/contracts/channels'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS, addMs } from '../../platform/clock.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import type { CallAnswer, SafeCall } from '../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import { writeAudit } from '../audit/index.ts'
import type { ChannelSecrets } from './channel-keys.ts'
import { channelRequest } from './channel-requests.ts'
import { disableChannel } from './channels.queries.ts'
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  failWaiting,
  finishDelivery,
  insertAttempt,
  listDueChannels,
  putOffDelivery,
} from './deliveries.queries.ts'
import { isAwake } from './quiet-hours.ts'

/** How long a claim of a delivery is valid: longer than an attempt can take. */
const CLAIMED_MS = MINUTE_MS
const NOTE_LENGTH = 200
/**
 * Each pause is lengthened by up to a fifth, so that a receiver that works again does not get all deliveries
 * at once.
 */
const JITTER = 0.2
const GONE = 410
const GONE_REASON = 'The receiver no longer exists (410 Gone).'
const UNREACHABLE = 'There was no response.'
const UNREADABLE = 'The address or the key cannot be read. Enter both again.'
const NO_RESPONSE = { kind: 'failed', status: null, durationMs: null, waitMs: 0 } as const

export interface SendDeps {
  database: Database
  clock: Clock
  secrets: ChannelSecrets
  call: SafeCall
  log: ServiceLog
}

export interface DeliverySender {
  /**
   * Sends the due deliveries, to all channels at the same time. A receiver that does not respond delays only
   * its own deliveries.
   */
  sendDue(): Promise<void>
  /** Sends a test message now. It is not repeated if it fails. */
  sendOnce(test: ClaimedDelivery): Promise<void>
}

type Outcome =
  | { kind: 'delivered'; status: number; durationMs: number }
  | {
      kind: 'failed'
      status: number | null
      note: string
      durationMs: number | null
      waitMs: number
      /** False if another attempt would fail in the same way. */
      mayRepeat: boolean
    }

/** Sends deliveries, records each attempt, and repeats failed deliveries with growing pauses. */
export function createDeliverySender({ database, clock, secrets, call, log }: SendDeps): DeliverySender {
  const keysOf = (delivery: ClaimedDelivery): string[] => {
    const { channel_id: id, key_sealed: key, old_key_sealed: old, old_key_until: until } = delivery
    const isOldInForce = old !== null && until !== null && new Date(until) > clock.now()
    return [key, isOldInForce ? old : null]
      .filter((text) => text !== null)
      .map((text) => secrets.open(id, text))
  }

  /** Returns the request; null if the address or a key cannot be read, for example with another root secret. */
  const requestOf = (delivery: ClaimedDelivery) => {
    const { id, channel_id: channelId, kind, content } = delivery
    try {
      return channelRequest(
        { kind, address: secrets.open(channelId, delivery.address_sealed), keys: keysOf(delivery) },
        { id, event: content, now: clock.now() },
      )
    } catch (error) {
      log.error(
        { err: error, channel: channelId, delivery: id },
        'a channel has an unreadable address or key',
      )
      return null
    }
  }

  const attempt = async (delivery: ClaimedDelivery): Promise<Outcome> => {
    const { id, channel_id: channelId } = delivery
    const target = requestOf(delivery)
    if (target === null) return { ...NO_RESPONSE, note: UNREADABLE, mayRepeat: false }
    const startedAt = performance.now()
    try {
      const answer = await call(target.address, target.request)
      return judge(answer, Math.round(performance.now() - startedAt))
    } catch (error) {
      // The reason would describe our network, so it is for the log only.
      log.info({ err: error, channel: channelId, delivery: id }, 'a channel could not be reached')
      return { ...NO_RESPONSE, note: UNREACHABLE, mayRepeat: true }
    }
  }

  /** Disables the channel, and records this in the audit. */
  const switchOff = async (tx: TransactionSql, channelId: string, now: Date): Promise<void> => {
    const channel = await disableChannel(tx, channelId, GONE_REASON, now)
    if (!channel) return
    await failWaiting(tx, channelId, now)
    const subject = { entity: 'channel', entityId: channelId, entityName: channel.name } as const
    const sides = { before: { is_enabled: true }, after: { is_enabled: false, reason: GONE_REASON } }
    await writeAudit(tx, { action: 'channel.updated', ...subject, ...sides }, { actor: SYSTEM_ACTOR, now })
  }

  const send = async (delivery: ClaimedDelivery, { mayRepeat }: { mayRepeat: boolean }): Promise<Outcome> => {
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
      const isOver = !mayRepeat || !outcome.mayRepeat || pause === undefined || outcome.status === GONE
      if (isOver) await finishDelivery(tx, { id, number }, 'failed', now)
      if (outcome.status === GONE) return switchOff(tx, delivery.channel_id, now)
      if (isOver) return
      const pauseMs = Math.max(pause * SECOND_MS, outcome.waitMs)
      await putOffDelivery(tx, { id, number }, addMs(now, pauseMs * (1 + Math.random() * JITTER)))
    })
    return outcome
  }

  /**
   * Sends the due deliveries of one channel. Stops if the receiver does not respond, because each call to it
   * takes long. The remaining deliveries are sent in the next round.
   */
  const sendToChannel = async (channelId: string): Promise<void> => {
    for (;;) {
      const now = clock.now()
      const due = await claimDueDeliveries(database.sql, channelId, { now, until: addMs(now, CLAIMED_MS) })
      const outcomes = await Promise.all(due.map((delivery) => send(delivery, { mayRepeat: true })))
      if (due.length === 0 || outcomes.some(({ status }) => status === null)) return
    }
  }

  return {
    async sendDue() {
      const now = clock.now()
      const awake = (await listDueChannels(database.sql, now)).filter((channel) => isAwake(channel, now))
      const ended = await Promise.allSettled(awake.map(({ id }) => sendToChannel(id)))
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
 * Returns the pause that the receiver requests. Reads only a number of seconds, because chats use no other
 * form.
 */
const retryAfterMs = (header: string | undefined): number =>
  header !== undefined && /^\d{1,6}(\.\d+)?$/.test(header) ? Number(header) * SECOND_MS : 0

/** Returns the status and the beginning of a plain-text response, on one line. */
function noteOf(status: number, body: string): string {
  if (status >= 300 && status < 400) return `${status}: redirects are not followed.`
  const text = body.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return text === '' || text.startsWith('<') ? `${status}` : `${status}: ${text.slice(0, NOTE_LENGTH)}`
}

import { createHmac } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { type DeliveryDeps, createDeliveryQueue } from '../mail/delivery-queue.ts'
import type { Mail, Undelivered } from '../mail/mail.ts'
import type { CallAnswer, SafeCall } from '../outbound/safe-call.ts'
import { type Sms, type SmsTransport, outboxFormOf } from './sms.ts'

const TASK_DEADLINE_SECONDS = 30
/** The maximum number of retries, with growing pauses of up to a minute. Retries also end when the code has expired. */
const RETRY_LIMIT = 10
/** Client errors (4xx) after which a later attempt may still succeed. All others are final. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429])

/** The address and the keys of the operator's program that sends text messages. */
export interface SmsHookSettings {
  url: string
  /**
   * The signing keys. A call has one signature for each key, so that a key can be replaced without an
   * interruption.
   */
  keys: readonly Buffer[]
}

/** The program has permanently refused the message, or the code in the message has expired. */
class SmsRefusedError extends Error {
  override name = 'SmsRefusedError'
}

/** Returns the headers of a call, signed according to Standard Webhooks. */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  keys: readonly Buffer[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (key: Buffer): string =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  }
}

/**
 * Returns the error that the program reports in its response, in the format of the hosted service's hooks.
 * Returns null if it reports none.
 */
function reportedError(body: string): { status: number; message: string } | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    // The response may be empty or not JSON.
    return null
  }
  const { error } = (parsed ?? {}) as { error?: { http_code?: unknown; message?: unknown } | null }
  if (typeof error !== 'object' || error === null) return null
  const { http_code: status, message } = error
  return {
    status: typeof status === 'number' ? status : 500,
    message: typeof message === 'string' ? message : '',
  }
}

/** Throws if the program has not accepted the message. */
function assertTaken({ status: httpStatus, body }: CallAnswer): void {
  const isTaken = httpStatus >= 200 && httpStatus < 300
  const reported = reportedError(body)
  if (isTaken && reported === null) return
  const status = isTaken ? (reported?.status ?? httpStatus) : httpStatus
  const text = `The program that sends messages responded with ${status}${reported?.message ? `: ${reported.message}` : '.'}`
  const isFinal = status >= 300 && status < 500 && !TEMPORARY.has(status)
  throw isFinal ? new SmsRefusedError(text) : new Error(text)
}

/** Sends text messages in a background task, by signed calls to the operator's program. */
export function createSmsHook(
  deps: DeliveryDeps & {
    hook: SmsHookSettings
    call: SafeCall
    /** Stores a message that could not be sent, for administrators. May be called twice for the same message. */
    keep(sql: Queryable, message: Mail, failed: Undelivered): Promise<void>
    /** Removes a stored message, so that it can be sent after all. Returns false if it is no longer there. */
    takeBack(tx: Queryable, id: string): Promise<boolean>
  },
): SmsTransport {
  const { clock, hook } = deps

  const send = async ({ id, call, expiresAt }: Sms): Promise<void> => {
    const now = clock.now()
    if (new Date(expiresAt) <= now)
      throw new SmsRefusedError('The code expired before the message could be sent.')
    const body = JSON.stringify(call)
    const headers = signedHeaders({ id, body, at: now }, hook.keys)
    assertTaken(await deps.call(hook.url, { method: 'POST', headers, body }))
  }

  const post = createDeliveryQueue<Sms>(deps, {
    taskName: 'sms.send',
    purpose: 'sms-task',
    deadlineSeconds: TASK_DEADLINE_SECONDS,
    retryLimit: RETRY_LIMIT,
    send,
    isRefusal: (error) => error instanceof SmsRefusedError,
    refusalText: 'a text message was not sent',
    keep: (sql, sms, failed) => deps.keep(sql, outboxFormOf(sms), failed),
    takeBack: deps.takeBack,
  })
  return { reachesPeople: true, post }
}

import type { MailTokenType, PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { CLOCK_LEEWAY_MS, addressKey, mailRefusal, nameKeyOf } from '../rate-limit/attempt-limits.ts'

export interface MailSlot {
  to: string
  kind: MailTokenType
  /**
   * The caller's IP address, if anybody may request the email. Each IP address then has an interval of its own, so that
   * a stranger cannot keep the owner of the email address from getting an email.
   */
  ip?: string
}

/**
 * The slot of a message to a phone. `to` is the number. If the limit applies to one account, `to` also contains the
 * account's id.
 */
export interface PhoneSlot {
  to: string
  kind: Exclude<PhoneCodeType, MailTokenType> | 'factor' | 'phone_reauthentication'
}

interface SlotRules {
  clock: Clock
  intervalMs: number
  refusal: 'TOO_MANY_MAILS' | 'TOO_MANY_SMS'
}

/**
 * Claims the right to send an email or message of this kind to a recipient, in the caller's transaction. This is
 * possible once within the interval. The limit counts requests, whether or not an email is sent, so the result does not
 * reveal which addresses have an account. Ignores an earlier request with a time in the future, because the clock was
 * set back after it. Throws the given refusal, with the time to wait.
 */
export async function claimMailSlot(
  tx: Queryable,
  { clock, intervalMs, refusal }: SlotRules,
  slot: MailSlot | PhoneSlot,
): Promise<void> {
  const now = clock.now()
  const since = addMs(now, -intervalMs)
  const { to, kind } = slot
  const key = nameKeyOf('ip' in slot && slot.ip !== undefined ? `${to}/${addressKey(slot.ip)}` : to)
  // Delete only requests of this kind, because other kinds may have a longer interval.
  await clearSome(
    tx,
    'mail_requests',
    tx`address_key, kind`,
    tx`at <= ${since} and kind = ${kind} and address_key <> ${key}`,
  )
  const [taken] = await tx`
    insert into mail_requests (address_key, kind, at) values (${key}, ${kind}, ${now})
    on conflict (address_key, kind) do update set at = excluded.at
      where mail_requests.at <= ${since} or mail_requests.at > ${addMs(now, CLOCK_LEEWAY_MS)}
    returning at`
  if (taken) return
  const [last] = await tx<[{ at: string }]>`
    select at from mail_requests where address_key = ${key} and kind = ${kind}`
  const waitMs = addMs(new Date(last.at), intervalMs).getTime() - now.getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  throw new AppError(refusal, {
    retryAfterSeconds,
    text: mailRefusal(retryAfterSeconds),
  })
}

import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { type Clock, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { nameKeyOf } from '../rate-limit/attempt-limits.ts'

export interface MailTurn {
  to: string
  kind: MailTokenType
}

/**
 * Claims the one mail of this kind that an address may get in the interval, in the caller's transaction. Counts
 * requests instead of mails and does not look at accounts, so the result does not reveal which addresses have an
 * account. Throws TOO_MANY_MAILS with the time to wait.
 */
export async function takeMailTurn(
  tx: Queryable,
  { clock, intervalMs }: { clock: Clock; intervalMs: number },
  mail: MailTurn,
): Promise<void> {
  const now = clock.now()
  const since = addMs(now, -intervalMs)
  const key = nameKeyOf(mail.to)
  await clearSome(tx, 'mail_requests', tx`address_key, kind`, tx`at <= ${since} and address_key <> ${key}`)
  const [taken] = await tx`
    insert into mail_requests (address_key, kind, at) values (${key}, ${mail.kind}, ${now})
    on conflict (address_key, kind) do update set at = excluded.at where mail_requests.at <= ${since}
    returning at`
  if (taken) return
  const [last] = await tx<[{ at: string }]>`
    select at from mail_requests where address_key = ${key} and kind = ${mail.kind}`
  const waitMs = addMs(new Date(last.at), intervalMs).getTime() - now.getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  throw new AppError('TOO_MANY_MAILS', {
    retryAfterSeconds,
    say: `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
  })
}

import { DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'

/** How long an IP address stays known after the last successful proof from it. */
export const KNOWN_MS = 90 * DAY_MS

interface KnownAddress {
  accountId: string
  /**
   * The IP address in the form that `addressKey` returns. A prefix marks addresses that are known only for a phone
   * number or only for email requests.
   */
  address: string
  now: Date
}

/** Marks an IP address as known to the account. Call this after a successful proof from that address. */
export async function noteKnownAddress(
  tx: Queryable,
  { accountId, address, now }: KnownAddress,
): Promise<void> {
  await tx`
    insert into known_addresses (account_id, address, at) values (${accountId}, ${address}, ${now})
    on conflict (account_id, address) do update set at = excluded.at`
}

async function isKnownAddress(sql: Queryable, { accountId, address, now }: KnownAddress): Promise<boolean> {
  const [row] = await sql`
    select from known_addresses
    where account_id = ${accountId} and address = ${address} and at > ${addMs(now, -KNOWN_MS)}`
  return row !== undefined
}

/**
 * Returns whether the session might belong to somebody else who knows only the password. This is the case if the
 * session has not passed the second step and comes from an unknown IP address.
 */
export const isElsewhere = async (
  sql: Queryable,
  { accountId, isSecondFactorDue }: Pick<UserPrincipal, 'accountId' | 'isSecondFactorDue'>,
  place: Pick<KnownAddress, 'address' | 'now'>,
): Promise<boolean> => isSecondFactorDue && !(await isKnownAddress(sql, { accountId, ...place }))

/**
 * Deletes the known addresses of an account. Call this after the account's factors were reset, because somebody else
 * may have used these addresses.
 */
export async function forgetKnownAddresses(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from known_addresses where account_id = ${accountId}`
}

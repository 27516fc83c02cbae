import { DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** How long an address stays known after the last second step from it. */
export const KNOWN_MS = 90 * DAY_MS

interface KnownAddress {
  accountId: string
  /** In the form of `addressKey`. */
  address: string
  now: Date
}

/** Marks an address as known to the account after a second step from it. */
export async function noteKnownAddress(
  tx: Queryable,
  { accountId, address, now }: KnownAddress,
): Promise<void> {
  await tx`
    insert into known_addresses (account_id, address, at) values (${accountId}, ${address}, ${now})
    on conflict (account_id, address) do update set at = excluded.at`
}

export async function isKnownAddress(
  sql: Queryable,
  { accountId, address, now }: KnownAddress,
): Promise<boolean> {
  const [row] = await sql`
    select from known_addresses
    where account_id = ${accountId} and address = ${address} and at > ${addMs(now, -KNOWN_MS)}`
  return row !== undefined
}

/** Used after a reset of the factors: somebody else may have used the known addresses. */
export async function forgetKnownAddresses(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from known_addresses where account_id = ${accountId}`
}

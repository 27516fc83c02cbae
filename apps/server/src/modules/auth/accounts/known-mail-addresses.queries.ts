import { DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { KNOWN_MS, noteKnownAddress } from './known-addresses.queries.ts'

interface SignInPlace {
  /** The IP address in the form that `addressKey` returns. */
  address: string
  now: Date
}

/** Adds a prefix, so that an address that is known for email requests does not count as known for the second step. */
const markedAddress = (address: string): string => `mail/${address}`

/**
 * Marks an IP address as known for email requests. Call this when a session of the account is opened from that address.
 */
export const noteKnownMailAddress = (
  tx: Queryable,
  accountId: string,
  { address, now }: SignInPlace,
): Promise<void> => noteKnownAddress(tx, { accountId, address: markedAddress(address), now })

/**
 * Marks an IP address as known for email requests, unless it was marked within the last day. Call this when a session
 * of the account is refreshed from that address.
 */
export async function noteSeenMailAddress(
  tx: Queryable,
  accountId: string,
  { address, now }: SignInPlace,
): Promise<void> {
  await tx`
    insert into known_addresses (account_id, address, at)
    select ${accountId}, ${markedAddress(address)}, ${now}
    where not exists (
      select from known_addresses
      where account_id = ${accountId} and address = ${markedAddress(address)} and at > ${addMs(now, -DAY_MS)})
    on conflict (account_id, address) do update set at = excluded.at`
}

/**
 * Returns whether a session of the account with this email address was opened or refreshed from an IP address. The
 * email address must be verified, because otherwise somebody else may have created the account.
 */
export async function isKnownForMails(
  sql: Queryable,
  { email, address, now }: SignInPlace & { email: string },
): Promise<boolean> {
  const [row] = await sql`
    select from accounts join known_addresses known on known.account_id = accounts.id
    where lower(accounts.email) = lower(${email}) and accounts.email_proved_at is not null
      and known.address = ${markedAddress(address)} and known.at > ${addMs(now, -KNOWN_MS)}`
  return row !== undefined
}

/** Deletes the addresses that are known for email requests. Call this when another person takes over the account. */
export async function forgetKnownMailAddresses(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from known_addresses where account_id = ${accountId} and starts_with(address, 'mail/')`
}

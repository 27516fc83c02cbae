import { DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { KNOWN_MS, noteKnownAddress } from './known-addresses.queries.ts'

interface SignInPlace {
  /** The IP address in the form that `addressKey` returns. */
  address: string
  now: Date
}

/** The prefix keeps the address from being known for the second step, which it has not passed. */
const markedAddress = (address: string): string => `mail/${address}`

/** Marks an IP address as known for requests of emails. Call this when a session of the account opens from there. */
export const noteKnownMailAddress = (
  tx: Queryable,
  accountId: string,
  { address, now }: SignInPlace,
): Promise<void> => noteKnownAddress(tx, { accountId, address: markedAddress(address), now })

/**
 * Marks an IP address as known for requests of emails, if it was not marked within the last day. Call this when a
 * session of the account is refreshed from there.
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
 * Returns whether the owner of a verified email address has opened or refreshed a session from an IP address. Sign-ins to an account with
 * an unverified address do not count, because somebody else may have created it.
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

/** Deletes the known addresses of an account that another person takes over. */
export async function forgetKnownMailAddresses(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from known_addresses where account_id = ${accountId} and starts_with(address, 'mail/')`
}

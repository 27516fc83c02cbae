import { addMs } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { KNOWN_MS, noteKnownAddress } from '../accounts/known-addresses.queries.ts'

interface PhoneAddress {
  phone: string
  /** The IP address in the form that `addressKey` returns. */
  address: string
  now: Date
}

/**
 * Adds a prefix with the number. So the IP address is known only for codes to this number, and not for the second step.
 */
const markedAddress = ({ phone, address }: PhoneAddress): string => `phone/${phone}/${address}`

/** Marks an IP address as known for the number of an account. Call this after a right code from that address. */
export const noteKnownPhoneAddress = (tx: Queryable, accountId: string, place: PhoneAddress): Promise<void> =>
  noteKnownAddress(tx, { accountId, address: markedAddress(place), now: place.now })

/**
 * Returns the id of the account that has verified the number and for which the IP address is known. Returns null if
 * there is none.
 */
export async function findAccountIdKnownAt(sql: Queryable, place: PhoneAddress): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select accounts.id from accounts join known_addresses known on known.account_id = accounts.id
    where accounts.phone = ${place.phone} and accounts.phone_proved_at is not null
      and known.address = ${markedAddress(place)} and known.at > ${addMs(place.now, -KNOWN_MS)}`
  return row?.id ?? null
}

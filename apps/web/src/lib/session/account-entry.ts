/** The localStorage keys of entries that belong to the signed-in account. The sign-out deletes them. */
const KEYS = {
  recent: 'pegasus-ops-recent',
  picks: 'pegasus-ops-picks',
} as const

interface Stored {
  account: string
  value: unknown
}

let owner: string | null = null

/** Sets the account whose entries are kept from now on. Null deletes all entries. */
export function setEntryOwner(account: string | null): void {
  owner = account
  if (account === null) for (const key of Object.values(KEYS)) localStorage.removeItem(key)
}

/** Reads an entry of the account, which may be anything. Returns null if there is none. */
export function readAccountEntry(name: keyof typeof KEYS): unknown {
  try {
    const stored = JSON.parse(localStorage.getItem(KEYS[name]) ?? 'null') as Stored | null
    return stored && owner !== null && stored.account === owner ? (stored.value ?? null) : null
  } catch {
    // The storage may be disabled, or contain something else.
    return null
  }
}

/** Writes an entry of the account. Without a signed-in account, nothing is written. */
export function writeAccountEntry(name: keyof typeof KEYS, value: unknown): void {
  if (owner === null) return
  try {
    localStorage.setItem(KEYS[name], JSON.stringify({ account: owner, value } satisfies Stored))
  } catch {
    // If the storage is full or disabled, the earlier entry stays.
  }
}

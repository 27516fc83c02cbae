// Stores the entity pages that this account opened last, for the command palette. The sign-out deletes them.

const KEY = 'pegasus-ops-recent'
const MOST = 8
/** The address parameters that identify a page. The others are filters and open dialogs. */
const NAMING = ['tab', 'view', 'model', 'item', 'order', 'job', 'printer', 'spool', 'product', 'place']

export interface RecentPage {
  title: string
  /** Path and query of the page. */
  address: string
}

interface Stored {
  account: string
  pages: RecentPage[]
}

let owner: string | null = null

/** Sets the account whose pages are kept from now on. Null deletes all pages. */
export function setPagesOwner(account: string | null): void {
  owner = account
  if (account === null) localStorage.removeItem(KEY)
}

/** Returns the pages of the account, newest first. */
export function readRecentPages(): RecentPage[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Stored | null
    return stored && stored.account === owner ? stored.pages : []
  } catch {
    // The storage may be disabled, or contain something else.
    return []
  }
}

/** Moves the page at the current address to the front. */
export function rememberPage(title: string): void {
  if (owner === null) return
  const query = new URLSearchParams(
    [...new URLSearchParams(location.search)].filter(([name]) => NAMING.includes(name)),
  )
  const address = `${location.pathname}?${query}`
  const others = readRecentPages().filter((page) => page.address !== address)
  const stored: Stored = { account: owner, pages: [{ title, address }, ...others].slice(0, MOST) }
  try {
    localStorage.setItem(KEY, JSON.stringify(stored))
  } catch {
    // If the storage is full, the earlier pages stay.
  }
}

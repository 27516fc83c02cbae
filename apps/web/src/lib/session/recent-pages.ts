// The pages of single things that this account opened last, for the command palette. A sign-out forgets them.

const KEY = 'pegasus-ops-recent'
const MOST = 8
/** The parameters of an address that name a thing; the rest are filters and open dialogs. */
const NAMING = ['tab', 'view', 'model', 'item', 'order', 'job', 'printer', 'spool', 'product', 'place']

export interface RecentPage {
  title: string
  /** Path and query. */
  address: string
}

interface Stored {
  account: string
  pages: RecentPage[]
}

let owner: string | null = null

/** Names the account whose pages are kept from now on. Null forgets all. */
export function setPagesOwner(account: string | null): void {
  owner = account
  if (account === null) localStorage.removeItem(KEY)
}

/** The pages of the account, the latest first. */
export function readRecentPages(): RecentPage[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Stored | null
    return stored && stored.account === owner ? stored.pages : []
  } catch {
    // Storage may be switched off, or hold something else.
    return []
  }
}

/** Puts the page at the current address first. */
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
    // A full store keeps the earlier pages.
  }
}

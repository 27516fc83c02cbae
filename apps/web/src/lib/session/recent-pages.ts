import { readAccountEntry, writeAccountEntry } from './account-entry.ts'

// Stores the entity pages that this account opened last, for the command palette. The sign-out deletes them.

const MOST = 8
/** The address parameters that identify a page. The others are filters and open dialogs. */
const NAMING = ['tab', 'view', 'model', 'item', 'order', 'job', 'printer', 'spool', 'product', 'place']

export interface RecentPage {
  title: string
  /** Path and query of the page. */
  address: string
}

/** Returns the pages of the account, newest first. */
export function readRecentPages(): RecentPage[] {
  const pages = readAccountEntry('recent')
  return Array.isArray(pages) ? (pages as RecentPage[]) : []
}

/** Moves the page at the current address to the front. */
export function rememberPage(title: string): void {
  const query = new URLSearchParams(
    [...new URLSearchParams(location.search)].filter(([name]) => NAMING.includes(name)),
  )
  const address = `${location.pathname}?${query}`
  const others = readRecentPages().filter((page) => page.address !== address)
  writeAccountEntry('recent', [{ title, address }, ...others].slice(0, MOST))
}

import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ObjectStorage } from './object-storage.ts'
import { type StoreUse, listStoreUses } from './store-uses.queries.ts'

/** Younger files are not removed, because they might belong to an upload whose row is not written yet. */
const MIN_AGE_MS = HOUR_MS
/** How many days a file is kept that was stored while no server used this database. */
export const KEPT_DAYS = 30
const KEPT_MS = KEPT_DAYS * DAY_MS
/** The clock of the store and the clock of the database can differ. */
const SLACK_MS = MINUTE_MS

/** The files of a part of the server. */
export interface StoredFiles {
  /** The prefixes of their keys. */
  prefixes: readonly string[]
  /** Returns keys to which rows refer, the newest first. */
  listNewestKeys(sql: Queryable, limit: number): Promise<string[]>
}

/**
 * Yields the keys of this prefix that the cleanup removes if no row refers to them: files that are older than an hour.
 * A file that was stored while no server used this database is kept for 30 days from the next start. Its row may be
 * missing only because the database was restored from an older backup.
 */
export async function* listUnclaimedKeys(
  deps: { database: { sql: Queryable }; storage: ObjectStorage; clock: Clock },
  prefix: string,
): AsyncGenerator<string> {
  const now = deps.clock.now().getTime()
  const uses = mergeUses(await listStoreUses(deps.database.sql))
  for await (const { key, modifiedAt } of deps.storage.list(prefix)) {
    const storedAt = modifiedAt.getTime()
    if (storedAt <= now - MIN_AGE_MS && mayRemove(uses, storedAt, now)) yield key
  }
}

/** A database without any use, such as that of a demo, is not watched. */
function mayRemove(uses: readonly Span[], storedAt: number, now: number): boolean {
  if (uses.length === 0 || uses.some(({ from, to }) => from <= storedAt && storedAt <= to)) return true
  const next = uses.find(({ from }) => from > storedAt)
  return next !== undefined && next.from <= now - KEPT_MS
}

interface Span {
  from: number
  to: number
}

/** Joins uses that overlap, because every file of the store is compared with each span. */
function mergeUses(uses: readonly StoreUse[]): Span[] {
  const spans: Span[] = []
  for (const { beganAt, seenAt } of uses) {
    const from = beganAt.getTime() - SLACK_MS
    const to = seenAt.getTime() + SLACK_MS
    const last = spans.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  return spans
}

import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ObjectStorage } from './object-storage.ts'
import { type StoreUse, isUsedByOtherDatabase, listStoreUses } from './store-uses.queries.ts'

/** Younger files stay, because their upload may be running and their row not written yet. */
const MIN_AGE_MS = HOUR_MS
/** For how many days to keep a file without a row if it was stored while no server used this database. */
export const KEPT_DAYS = 30
const KEPT_MS = KEPT_DAYS * DAY_MS
/** A file counts as stored within a use even if the clocks of the store and the database differ this much. */
const SLACK_MS = MINUTE_MS

/** Describes the files that one part of the server stores. */
export interface StoredFiles {
  /** The prefixes of their keys. */
  prefixes: readonly string[]
  /** Returns keys to which rows refer, the newest first. */
  listNewestKeys(sql: Queryable, limit: number): Promise<string[]>
}

/**
 * Yields the keys with this prefix that the cleanup may remove if no row refers to them. These are files that are older
 * than an hour. If a file was stored while no server used this database, it is kept for 30 days after the next start.
 * Its row may only be missing because the database was restored from an older backup.
 * For an hour after another database has used the same files, no key is yielded.
 */
export async function* listUnclaimedKeys(
  deps: { database: { sql: Queryable }; storage: ObjectStorage; clock: Clock },
  prefix: string,
): AsyncGenerator<string> {
  if (await isUsedByOtherDatabase(deps.database.sql)) return
  const now = deps.clock.now().getTime()
  const uses = mergeUses(await listStoreUses(deps.database.sql))
  for await (const { key, modifiedAt } of deps.storage.list(prefix)) {
    const storedAt = modifiedAt.getTime()
    if (storedAt <= now - MIN_AGE_MS && mayRemove(uses, storedAt, now)) yield key
  }
}

/**
 * Whether the cleanup may remove a file without a row. The files of a database without uses, such as that of a demo,
 * may always be removed.
 */
function mayRemove(uses: readonly Span[], storedAt: number, now: number): boolean {
  if (uses.length === 0 || uses.some(({ from, to }) => from <= storedAt && storedAt <= to)) return true
  const next = uses.find(({ from }) => from > storedAt)
  return next !== undefined && next.from <= now - KEPT_MS
}

interface Span {
  from: number
  to: number
}

/** Joins overlapping uses, so that each file is compared with fewer spans. */
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

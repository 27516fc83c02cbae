import { hash } from 'node:crypto'
import { type Clock, MINUTE_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { ChangedRows, Moment } from '../database/row-changes.ts'
import type { WrittenPage } from './paging.ts'
import type { PathSigner } from './signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** Changed rows that are remembered; with more, everything is read again. */
const MAX_CHANGED = 20_000
/** Changes since an earlier moment are not asked for, because their notes are deleted some day. */
const MAX_AGE_MS = 10 * MINUTE_MS
const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/** A row as it is sent. */
export interface ReadRow {
  id: string
  /** JSON. */
  body: Buffer
  /** The ids of all rows that it says something of, as their changes are noted; its own among them. */
  dependsOn: Iterable<string>
  /** The last moment at which it is true without a change. */
  goodUntil: Date | null
}

/** The ids of a page's rows in their order, and what has changed since `since`. */
export interface FoundIds extends ChangedRows {
  ids: readonly string[]
  /** An encoded cursor. */
  next: string | null
  total: number
}

/**
 * Rows of a list as they were sent. After a change only the rows are read again that depend on what was changed. For lists
 * whose rows are costly. The database is asked for each request, after it has arrived, so nothing old is sent, whichever
 * replica made a change.
 */
export interface KnownRows {
  /** Finds a page and writes it. `find` is one statement with `changedSince(since)`, `read` is begun after it. */
  write(find: (since: Moment | null) => Promise<FoundIds>, read: ReadRows): Promise<WrittenPage>
}

/** Reads those of the rows that are there, in any order. */
type ReadRows = (ids: readonly string[]) => Promise<readonly ReadRow[]>

interface KnownRow extends ReadRow {
  tag: string
  /** Rows that were changed in a later round are not what it says. */
  round: number
}

/** Keeps the rows that were used last, up to `maxBytes` of them. */
export function createKnownRows(
  {
    signer,
    clock,
    database,
  }: { signer: PathSigner; clock: Clock; database: Pick<Database, 'lostConnections'> },
  maxBytes = MAX_BYTES,
): KnownRows {
  /** By id, the last used one at the end. */
  const rows = new Map<string, KnownRow>()
  let bytes = 0
  /** The round in which each row was found changed. */
  const changedIn = new Map<string, number>()
  let round = 0
  /** Rows of an earlier round may have changed unnoticed. */
  let firstRound = 0
  /** The changes that are visible in `moment` are in `changedIn`. */
  let known: { moment: Moment; at: number; losses: number; end: number } | null = null

  const forget = (id: string): void => {
    bytes -= rows.get(id)?.body.length ?? 0
    rows.delete(id)
  }

  const forgetAll = (): void => {
    rows.clear()
    changedIn.clear()
    bytes = 0
    firstRound = round += 1
    known = null
  }

  /** Ends with each loss of a connection, because numbers of transactions may come again, and with the addresses in rows. */
  const isKnown = (): boolean =>
    known !== null &&
    known.losses === database.lostConnections() &&
    known.end === signer.endOfAddresses() &&
    Math.abs(clock.now().getTime() - known.at) < MAX_AGE_MS

  const isTrue = ({ round: readIn, dependsOn, goodUntil }: KnownRow): boolean => {
    if (readIn < firstRound || (goodUntil !== null && goodUntil < clock.now())) return false
    for (const id of dependsOn) if ((changedIn.get(id) ?? 0) > readIn) return false
    return true
  }

  const noteChanges = (changed: readonly string[]): void => {
    if (changed.length === 0) return
    round += 1
    for (const id of changed) changedIn.set(id, round)
    if (changedIn.size > MAX_CHANGED) forgetAll()
  }

  const keep = (row: KnownRow): void => {
    forget(row.id)
    if (row.round < firstRound) return
    rows.set(row.id, row)
    bytes += row.body.length
    for (const oldest of rows.keys()) {
      if (bytes <= maxBytes) return
      forget(oldest)
    }
  }

  const recall = (id: string): KnownRow | undefined => {
    const row = rows.get(id)
    if (!row) return undefined
    rows.delete(id)
    if (isTrue(row)) rows.set(id, row)
    else bytes -= row.body.length
    return rows.get(id)
  }

  const readRows = async (ids: readonly string[], read: ReadRows): Promise<KnownRow[]> => {
    // A change that is noted while the rows are read may be missing in them.
    const begunIn = round
    return (await read(ids)).map((row) => ({
      ...row,
      tag: hash('sha256', row.body, 'base64url'),
      round: begunIn,
    }))
  }

  return {
    async write(find, read) {
      if (!isKnown()) forgetAll()
      const at = clock.now().getTime()
      const losses = database.lostConnections()
      const end = signer.endOfAddresses()
      const { ids, next, total, changed, server, snapshot } = await find(known?.moment ?? null)
      if (changed === null || losses !== database.lostConnections()) forgetAll()
      else noteChanges(changed)
      known = { moment: { server, snapshot }, at, losses, end }
      const page = new Map(ids.map((id) => [id, recall(id)]))
      const missing = ids.filter((id) => page.get(id) === undefined)
      if (missing.length > 0)
        for (const row of await readRows(missing, read)) {
          page.set(row.id, row)
          keep(row)
        }
      // A row that was deleted since the page was found is left out.
      const sent = [...page.values()].filter((row) => row !== undefined)
      const ends = sent.flatMap(({ goodUntil }) => (goodUntil ? [goodUntil.getTime()] : []))
      const said = sent.map(({ tag }) => tag).join('\n')
      return {
        body: Buffer.concat([
          OPEN,
          ...sent.flatMap(({ body }, index) => (index === 0 ? [body] : [COMMA, body])),
          CLOSE,
        ]),
        tag: `"${hash('sha256', said, 'base64url')}"`,
        goodUntil: ends.length === 0 ? null : new Date(Math.min(...ends)),
        next,
        total,
      }
    },
  }
}

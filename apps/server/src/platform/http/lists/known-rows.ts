import { hash } from 'node:crypto'
import { type Clock, MINUTE_MS } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { ChangedRows, Moment } from '../../database/row-changes.ts'
import type { WrittenPage } from '../paging.ts'
import type { PathSigner } from '../signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** How many changed rows are remembered. If there are more, all rows are read again. */
const MAX_CHANGED = 20_000
/**
 * The maximum age of the snapshot since which changes are requested. Records of older changes may have been
 * deleted.
 */
const MAX_AGE_MS = 10 * MINUTE_MS
const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/** A row in the form in which responses contain it. */
export interface ReadRow {
  id: string
  /** The row as JSON. */
  body: Buffer
  /**
   * The ids of all rows from which this row takes data, including its own id, in the form in which changes are
   * recorded.
   */
  dependsOn: Iterable<string>
  /**
   * The time until which the row is correct if no data changes. Null if the row does not depend on the time.
   */
  goodUntil: Date | null
}

/** The ids of a page's rows in order, and the rows that have changed since an earlier snapshot. */
export interface FoundIds extends ChangedRows {
  ids: readonly string[]
  /** An encoded cursor. */
  next: string | null
  total: number
}

/**
 * Caches the rows of a list as they were sent. After a change, only rows that depend on a changed row are
 * read again. Use this for lists whose rows are expensive to read. Each request asks the database for changes
 * after it has arrived. So no outdated row is sent, whichever replica made a change.
 */
export interface KnownRows {
  /**
   * Finds a page and writes it. `find` runs one statement that includes `changedSince(since)`. `read` starts
   * after that statement.
   */
  write(find: (since: Moment | null) => Promise<FoundIds>, read: ReadRows): Promise<WrittenPage>
}

/** Reads those rows with these ids that exist, in any order. */
type ReadRows = (ids: readonly string[]) => Promise<readonly ReadRow[]>

interface KnownRow extends ReadRow {
  tag: string
  /**
   * The round that was current when the row was read. The row is outdated if a row that it depends on changed
   * in a later round.
   */
  round: number
}

/** Keeps the most recently used rows, up to `maxBytes` in total. */
export function createKnownRows(
  {
    signer,
    clock,
    database,
  }: { signer: PathSigner; clock: Clock; database: Pick<Database, 'lostConnections'> },
  maxBytes = MAX_BYTES,
): KnownRows {
  /** The rows by id, the most recently used row last. */
  const rows = new Map<string, KnownRow>()
  let bytes = 0
  /**
   * The current round. A round is the time between two requests that found changes. Rounds are numbered, so that
   * the cache can tell whether a row was read before or after another row changed.
   */
  let round = 0
  /** For each changed row, the number of the round that began when its change was found. */
  const changedIn = new Map<string, number>()
  /** The first valid round. A row that was read in an earlier round may have changed without being found. */
  let firstRound = 0
  /** The latest request to the database. `changedIn` contains all changes that are visible at its `moment`. */
  let latest: { moment: Moment; at: number; losses: number; end: number } | null = null

  const forget = (id: string): void => {
    bytes -= rows.get(id)?.body.length ?? 0
    rows.delete(id)
  }

  const forgetAll = (): void => {
    rows.clear()
    changedIn.clear()
    bytes = 0
    firstRound = round += 1
    latest = null
  }

  /**
   * Whether the cached rows may still be used. They become invalid when a connection is lost, because
   * transaction numbers may be reused, and when the signed addresses in them change.
   */
  const isKnown = (): boolean =>
    latest !== null &&
    latest.losses === database.lostConnections() &&
    latest.end === signer.endOfAddresses() &&
    Math.abs(clock.now().getTime() - latest.at) < MAX_AGE_MS

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
    // A change that is noticed during the read may be missing in the rows, so they get the round from before
    // the read.
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
      const { ids, next, total, changed, server, snapshot } = await find(latest?.moment ?? null)
      if (changed === null || losses !== database.lostConnections()) forgetAll()
      else noteChanges(changed)
      latest = { moment: { server, snapshot }, at, losses, end }
      const page = new Map(ids.map((id) => [id, recall(id)]))
      const missing = ids.filter((id) => page.get(id) === undefined)
      if (missing.length > 0)
        for (const row of await readRows(missing, read)) {
          page.set(row.id, row)
          keep(row)
        }
      // Leave out rows that were deleted after the page was found.
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

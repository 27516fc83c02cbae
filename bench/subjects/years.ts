import { percentile } from '../lib/figures.ts'
import { HttpConnection, toBytes } from '../lib/http-client.ts'
import { signIn } from '../lib/library.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startProductProcess } from '../lib/server-process.ts'
import { IS_FULL, IS_TRIAL, PAGE_SIZE } from '../lib/settings.ts'
import { figure, note, percent, printTable, verdict } from '../lib/table.ts'
import { type Age, type OldStock, PERSON, makeOldStock } from '../lib/years.ts'

const YOUNG: Age = IS_TRIAL ? { movements: 2000, entries: 2000 } : { movements: 100_000, entries: 100_000 }
const OLD: Age = IS_TRIAL
  ? { movements: 5000, entries: 5000 }
  : IS_FULL
    ? { movements: 10_000_000, entries: 5_000_000 }
    : { movements: 1_000_000, entries: 500_000 }
/** The highest acceptable ratio between the time of a list in the old shop and in the new shop. */
const AIM = 1.2
/** Number of requests to each shop for one list. */
const REQUESTS = IS_TRIAL ? 5 : IS_FULL ? 400 : 150
/**
 * The share of responses that are at least as fast as the compared time. Slower responses were delayed by other work.
 */
const QUIET_SHARE = 0.25

const DAY_MS = 24 * 60 * 60_000
const aDay = (): string => {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  return `from=${day(11)}T00:00:00Z&to=${day(10)}T00:00:00Z`
}

/** The lists that read the two tables, and the item list, which reads the current quantities. */
const LISTS: readonly { name: string; path: (stock: OldStock) => string }[] = [
  { name: 'items', path: () => '/api/inventory?' },
  { name: 'movements of an item', path: ({ itemId }) => `/api/inventory/${itemId}/movements?` },
  { name: 'dashboard', path: () => '/api/stats?' },
  { name: 'dashboard, history', path: () => '/api/stats/history?' },
  ...Object.entries({
    newest: '',
    'of one action': 'action=session.opened',
    'of a rare action': 'action=outbox.read',
    'of an unused action': 'action=factor.removed',
    'of three actions': 'action=session.refused,access.refused,outbox.read',
    'of one kind': 'entity=outbox',
    'of one object': `entity_id=${PERSON}`,
    'of one person': `actor=${PERSON}`,
    'of one person and a rare action': `actor=${PERSON}&action=outbox.read`,
    'of the server': 'actor_kind=system',
    'of one day': aDay(),
    'with a frequent name': 'search=person',
    'with a rare name': 'search=agent',
    'with an address': 'search=203.0.7.201',
    'with part of an address': 'search=203.0',
    'with one letter': 'search=a',
    'with an unknown name': 'search=nobody+of+that+name',
  }).map(([name, query]) => ({ name: `audit, ${name}`, path: () => `/api/audit?${query}` })),
]

/**
 * Starts a server on a stock of this age. Returns the stock, and a function that sends a request and returns its
 * duration in milliseconds.
 */
async function begin(scratch: Scratch, name: string, age: Age) {
  const stock = await makeOldStock(scratch, name, age)
  const variables = { DATABASE_URL: stock.databaseUrl }
  const { port } = await startProductProcess(scratch, stock.productFolder, variables)
  const headers = { authorization: `Bearer ${(await signIn(port)).accessToken}` }
  let connection: HttpConnection | null = null
  scratch.onEnd(() => connection?.close())
  let asked = 0
  const ask = async (path: string): Promise<number> => {
    // Each address is new, so that no response is cached.
    asked += 1
    const request = toBytes({ method: 'GET', path: `${path}&limit=${PAGE_SIZE}&asked=${asked}`, headers })
    // Connect only for the first request. The server would close a connection that is idle while the next stock is
    // created.
    connection ??= new HttpConnection(port)
    const startedAt = performance.now()
    const { status } = await connection.ask(request)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    return performance.now() - startedAt
  }
  return { stock, ask }
}

/** Compares the lists of a shop after years with those of the same shop after a few weeks. */
export async function measureYears(scratch: Scratch): Promise<void> {
  const young = await begin(scratch, 'weeks', YOUNG)
  const old = await begin(scratch, 'years', OLD)
  const rows: string[][] = []
  for (const { name, path } of LISTS) {
    const times: Record<'young' | 'old', number[]> = { young: [], old: [] }
    // Send requests to both shops in turn, so that other work on the machine affects both equally.
    for (let request = 0; request < REQUESTS; request += 1) {
      times.young.push(await young.ask(path(young.stock)))
      times.old.push(await old.ask(path(old.stock)))
    }
    const [before, after] = [percentile(times.young, QUIET_SHARE), percentile(times.old, QUIET_SHARE)]
    const isReached = after <= AIM * before
    rows.push([
      name,
      figure(before),
      figure(after),
      percent(after / before),
      `≤ ${percent(AIM)}`,
      verdict(isReached),
    ])
  }
  const count = (value: number) => value.toLocaleString('en-GB')
  printTable(
    `years: lists with ${count(OLD.movements)} movements and ${count(OLD.entries)} audit entries, compared with ${count(YOUNG.movements)} of each`,
    ['list', 'ms after weeks', 'ms after years', 'share', 'target', ''],
    rows,
  )
  note(
    `Each time is the fastest quarter of ${REQUESTS} responses, none of them cached. The two tables have ${count(old.stock.sizeMb)} MB with their indexes, compared with ${count(young.stock.sizeMb)} MB.`,
  )
}

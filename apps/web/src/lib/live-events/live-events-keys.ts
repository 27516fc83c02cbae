import type { ChangeEvent } from '@pegasus/contracts/events'

type Entity = ChangeEvent['entity']
/** How the key of a query begins. */
type QueryKey = readonly [string, ...string[]]

/** What shows many models, whichever changed. */
const MODEL_LISTS: readonly QueryKey[] = ['list', 'brief', 'bin', 'similar'].map((of) => ['stl-files', of])

/** What has to be asked for again when something changes: its own lists, and those that show a part of it. */
const KEYS: Readonly<Record<Entity, readonly string[]>> = {
  // Lists of parts show the picture of their model, and its title.
  stl_file: ['stats', 'inventory', 'orders', 'print-queue'],
  // Told every second; the models that come of it tell of themselves.
  stl_import: ['stl-imports'],
  inventory_item: ['inventory', 'stats', 'orders', 'print-queue'],
  location: ['inventory', 'filament'],
  cost_settings: ['inventory'],
  filament: ['filament', 'stats', 'print-queue'],
  // A job takes from a spool what it needs.
  print_job: ['print-queue', 'stats', 'filament'],
  printer: ['print-queue'],
  order: ['orders', 'stats'],
  product: ['products', 'stats', 'stl-files'],
  draft: ['drafts'],
  api_key: ['api-keys'],
  audit_entry: ['audit'],
  alert: ['alerts'],
}

/** Beside those: an archive brings models by the hundred, and each would have every other one asked for again. */
const NARROW_KEYS: Partial<Record<Entity, (id: string) => readonly QueryKey[]>> = {
  stl_file: (id) => [
    ...MODEL_LISTS,
    ...['one', 'uses', 'versions'].map((of): QueryKey => ['stl-files', of, id]),
  ],
  // Where a model is used.
  inventory_item: () => [['stl-files', 'uses']],
  print_job: () => [['stl-files', 'uses']],
}

/** The beginnings of the query keys that an event makes stale. */
export const queryKeysOf = ({ entity, id }: Pick<ChangeEvent, 'entity' | 'id'>): QueryKey[] => [
  ...KEYS[entity].map((key): QueryKey => [key]),
  ...(NARROW_KEYS[entity]?.(id) ?? []),
]

export interface Refetcher {
  /** Notes that these are stale. */
  add(keys: readonly QueryKey[]): void
  /** Notes that everything is. */
  addAll(): void
  stop(): void
}

interface RefetcherOptions {
  /** Asks again for what the keys begin, or for everything; settles when the answers are in. */
  refetch: (keys: readonly QueryKey[] | 'everything') => Promise<unknown>
  /** What comes in this time is asked for together. */
  gatherMs: number
  /** From the beginning of one refetch to that of the next at least. */
  restMs: number
  /** An answer that takes longer than this is not waited for. */
  patienceMs: number
}

/**
 * Makes few refetches of many events: one starts a moment after the first event, and the next only when that one's
 * answers are in and it has rested, so that a flood can neither pile up requests nor keep cancelling the one under way.
 */
export function createRefetcher({ refetch, gatherMs, restMs, patienceMs }: RefetcherOptions): Refetcher {
  let stale = new Map<string, QueryKey>()
  let isAllStale = false
  let isBusy = false
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let restsUntil = 0

  const isWaiting = () => isAllStale || stale.size > 0

  const schedule = (): void => {
    if (isStopped || isBusy || timer !== undefined || !isWaiting()) return
    timer = setTimeout(() => void flush(), Math.max(gatherMs, restsUntil - performance.now()))
  }

  const flush = async (): Promise<void> => {
    timer = undefined
    isBusy = true
    restsUntil = performance.now() + restMs
    const asked = isAllStale ? ('everything' as const) : [...stale.values()]
    stale = new Map()
    isAllStale = false
    let patience: ReturnType<typeof setTimeout> | undefined
    const enough = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, patienceMs)
    })
    // How a query failed is told where it is shown.
    await Promise.race([refetch(asked).catch(() => undefined), enough])
    clearTimeout(patience)
    isBusy = false
    schedule()
  }

  return {
    add(keys) {
      for (const key of keys) stale.set(key.join(' '), key)
      schedule()
    },
    addAll() {
      isAllStale = true
      schedule()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

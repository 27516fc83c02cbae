import type { ChangeEvent } from '@pegasus/contracts/events'

type Entity = ChangeEvent['entity']
/** The first elements of a query's key. */
type QueryKey = readonly [string, ...string[]]

/** Queries that show many models. Any change of a model makes them stale. */
const MODEL_LISTS: readonly QueryKey[] = ['list', 'brief', 'trash', 'similar'].map((of) => ['stl-files', of])

/**
 * Maps an entity to the queries that its changes make stale: its own lists, and lists that show some of its
 * fields.
 */
const KEYS: Readonly<Record<Entity, readonly string[]>> = {
  // The lists of these modules show the picture and the title of their model.
  stl_file: ['stats', 'inventory', 'orders', 'print-queue', 'scan'],
  // Imports send an event every second, so only the imports are refetched. The models they create send their
  // own events.
  stl_import: ['stl-imports'],
  // A product shows the stock that the shop may sell. It is computed from the pieces of the item and the
  // orders.
  inventory_item: ['inventory', 'stats', 'orders', 'print-queue', 'products', 'scan'],
  // The picking dialog of an order shows the locations of its pieces.
  location: ['inventory', 'filament', 'printers', 'orders', 'scan'],
  cost_settings: ['inventory'],
  filament: ['filament', 'stats', 'print-queue', 'printers', 'scan'],
  // A job reserves filament of a spool, and produces pieces for an order.
  print_job: ['print-queue', 'stats', 'filament', 'orders', 'printers', 'scan'],
  printer: ['printers', 'print-queue', 'scan'],
  // A sliced file determines which printers can print a job, and states the weight and time of a piece.
  slice: ['slices', 'print-queue', 'inventory'],
  order: ['orders', 'stats', 'products', 'scan'],
  product: ['products', 'stats', 'stl-files'],
  draft: ['drafts'],
  api_key: ['api-keys'],
  service_key: ['service-keys'],
  sso_provider: ['sso-providers'],
  audit_entry: ['audit'],
  alert: ['alerts'],
}

/**
 * Maps an entity to the narrower queries that its changes make stale. A change of a model affects the lists of models,
 * but only its own details, because an archive can add hundreds of models.
 */
const NARROW_KEYS: Partial<Record<Entity, (id: string) => readonly QueryKey[]>> = {
  stl_file: (id) => [
    ...MODEL_LISTS,
    ...['one', 'uses', 'versions'].map((of): QueryKey => ['stl-files', of, id]),
    // A new version makes the sliced files of the previous version outdated.
    ['slices', 'list', id],
  ],
  // Pages of models show where the model is used.
  inventory_item: () => [['stl-files', 'uses']],
  print_job: () => [['stl-files', 'uses']],
  // The page of a model shows the weight and time of its newest sliced file.
  slice: () => [['stl-files', 'one']],
}

/** Returns the prefixes of the query keys that an event makes stale. */
export const queryKeysOf = ({ entity, id }: Pick<ChangeEvent, 'entity' | 'id'>): QueryKey[] => [
  ...KEYS[entity].map((key): QueryKey => [key]),
  ...(NARROW_KEYS[entity]?.(id) ?? []),
]

export interface Refetcher {
  /** Marks the queries with these keys as stale. */
  add(keys: readonly QueryKey[]): void
  /** Marks all queries as stale. */
  addAll(): void
  stop(): void
}

interface RefetcherOptions {
  /** Reloads the queries of the keys, or all queries. Resolves when the responses have arrived. */
  refetch: (keys: readonly QueryKey[] | 'everything') => Promise<unknown>
  /** Events within this time, in ms, are handled together. */
  gatherMs: number
  /** The minimum time between the starts of two refetches, in ms. */
  restMs: number
  /** The longest time to wait for responses, in ms. */
  patienceMs: number
}

/**
 * Combines many events into few refetches. A refetch starts a moment after the first event. The next one
 * waits for the responses and a pause. A flood of events therefore neither piles up requests nor keeps
 * cancelling the running one.
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
    // The component that shows the query reports a failure.
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

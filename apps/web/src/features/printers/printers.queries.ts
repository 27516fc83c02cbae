import { listFilament } from '@pegasus/contracts/filament/spools'
import { listLocations } from '@pegasus/contracts/inventory/locations'
import { listPrintQueue } from '@pegasus/contracts/print-queue/jobs'
import { getPrinter, listPrinters, type Printer } from '@pegasus/contracts/print-queue/printers'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { callList } from '@/lib/http/api.ts'
import { apiListQuery, apiPageQuery, apiQuery } from '@/lib/http/api-queries.ts'
import type { PrinterFilters } from './printers-address.ts'

/** Every query about printers starts with this key, so that one invalidation refreshes them all. */
const PRINTERS_KEY = 'printers'

export const printerListQuery = ({ search, state, sort }: PrinterFilters) =>
  apiListQuery([PRINTERS_KEY, 'list', { search, state, sort }], listPrinters, {
    query: {
      sort,
      ...(search && { search }),
      ...(state === 'needs_person' ? { needs_person: 'true' } : state && { state }),
    },
  })

/**
 * Returns at most one of the printers that need a person. The response also contains the number of all such printers.
 */
export const needyPrintersQuery = apiPageQuery([PRINTERS_KEY, 'needs-person'], listPrinters, {
  query: { needs_person: 'true', limit: 1 },
})

/** At most one printer, to find out whether there is one. */
export const anyPrinterQuery = apiPageQuery([PRINTERS_KEY, 'any'], listPrinters, { query: { limit: 1 } })

export const deletedPrintersQuery = apiListQuery([PRINTERS_KEY, 'trash'], listPrinters, {
  query: { deleted: 'true' },
})

export const printerQuery = (id: string) =>
  apiQuery([PRINTERS_KEY, 'one', id], getPrinter, { params: { id } })

/** Spools to choose from, last used first. */
export const spoolChoicesQuery = apiPageQuery([PRINTERS_KEY, 'spools'], listFilament, {
  query: { archived: 'false', sort: 'last_used', limit: 200 },
})

/** Waiting jobs to choose from, in the order of the queue. */
export const waitingJobsQuery = apiPageQuery([PRINTERS_KEY, 'jobs'], listPrintQueue, {
  query: { status: 'pending', limit: 100 },
})

/** Returns the places that a printer can be in. */
export const placeChoicesQuery = queryOptions({
  queryKey: [PRINTERS_KEY, 'places'],
  queryFn: async ({ signal }) => {
    const { items } = await callList(listLocations, { query: { limit: 500 }, signal })
    return items.filter(({ kind }) => kind === 'place').map(({ id, path }) => ({ id, path }))
  },
})

/**
 * Returns a function that refetches all queries that show printers. A printer passed to it replaces its
 * cached version immediately.
 */
export function usePrinterRefresh(): (known?: Printer) => void {
  const client = useQueryClient()
  return (known) => {
    if (known) client.setQueryData(printerQuery(known.id).queryKey, known)
    for (const key of [PRINTERS_KEY, 'print-queue', 'inventory', 'filament'])
      void client.invalidateQueries({ queryKey: [key] })
  }
}

import { useSearchParams } from 'react-router'
import type { QueryClient } from '@tanstack/react-query'
import { type InventoryAddresses, readFilters, readSort, readView, withItem } from './inventory-address.ts'
import { itemListQuery } from './inventory.queries.ts'
import { ItemList } from './items/item-list.tsx'
import { ItemPage } from './item-page/item-page.tsx'
import { TrashPage } from './item-forms/trash-page.tsx'
import { StockProvider } from './stock/stock-context.tsx'
import { LocationsPage } from './locations/locations-page.tsx'

/** Loads the first data of the list that a URL opens. */
export async function prefetchList(client: QueryClient, params: URLSearchParams): Promise<void> {
  if (params.get('item') || readView(params)) return
  await client.prefetchInfiniteQuery(itemListQuery(readFilters(params), readSort(params)))
}

interface InventoryPageProps {
  addresses: InventoryAddresses
}

/** The inventory: the item list, the trash, the locations, or the item whose id is in the URL. */
export function InventoryPage({ addresses }: InventoryPageProps) {
  const [params] = useSearchParams()
  const id = params.get('item')
  const view = readView(params)
  return (
    <StockProvider>
      {id ? (
        <ItemPage key={id} id={id} backTo={`?${withItem(params, null)}`} addresses={addresses} />
      ) : view === 'bin' ? (
        <TrashPage />
      ) : view === 'locations' ? (
        <LocationsPage spoolAddress={addresses.spool} />
      ) : (
        <ItemList modelAddress={addresses.model} />
      )}
    </StockProvider>
  )
}

import { useSearchParams } from 'react-router'
import { readView, withItem } from './inventory-address.ts'
import { ItemList } from './items/item-list.tsx'
import { ItemPage } from './item-page/item-page.tsx'
import { TrashPage } from './item-forms/trash-page.tsx'
import { StockProvider } from './stock/stock-context.tsx'
import { LocationsPage } from './locations/locations-page.tsx'

/** Addresses of the pages to which an item links. */
export interface InventoryAddresses {
  model: (id: string) => string
  job: (id: string) => string
  order: (id: string) => string
  spool: (id: string) => string
  /** Opens the dialog that queues a print of an item. */
  print: (of: { itemId: string; quantity: number }) => string
  /** Opens the setup of a product from an item. */
  make: (id: string) => string
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

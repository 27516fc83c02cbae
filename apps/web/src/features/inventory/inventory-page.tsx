import { useSearchParams } from 'react-router'
import { readView, withItem } from './inventory-address.ts'
import { ItemList } from './items/item-list.tsx'
import { ItemPage } from './item-page/item-page.tsx'
import { BinPage } from './item-forms/trash-page.tsx'
import { StockProvider } from './stock/stock-context.tsx'
import { LocationsPage } from './locations/locations-page.tsx'

/** Where what an item belongs to is shown. */
export interface InventoryAddresses {
  model: (id: string) => string
  job: (id: string) => string
  order: (id: string) => string
  spool: (id: string) => string
  /** Opens the dialog that queues a print of an item. */
  print: (of: { itemId: string; quantity: number }) => string
  /** Begins a product with what is known of an item. */
  make: (id: string) => string
}

interface InventoryRoomProps {
  addresses: InventoryAddresses
}

/** What is in stock: the list, its bin, the places where things lie, or the one item that the address names. */
export function InventoryPage({ addresses }: InventoryRoomProps) {
  const [params] = useSearchParams()
  const id = params.get('item')
  const view = readView(params)
  return (
    <StockProvider>
      {id ? (
        <ItemPage key={id} id={id} backTo={`?${withItem(params, null)}`} addresses={addresses} />
      ) : view === 'bin' ? (
        <BinPage />
      ) : view === 'locations' ? (
        <LocationsPage spoolAddress={addresses.spool} />
      ) : (
        <ItemList modelAddress={addresses.model} />
      )}
    </StockProvider>
  )
}

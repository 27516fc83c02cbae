import { type InventoryItem, listInventory } from '@pegasus/contracts/inventory/items'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { EntityPicker, type PickedEntity, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { apiPageQuery } from '@/lib/http/api-queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** An item in stock, with the data that an order line needs. */
export interface PickedItem extends PickedEntity {
  sku: string
  price: number | null
}

const pickedItem = (item: InventoryItem): PickedItem => ({
  id: item.id,
  name: item.name,
  sku: item.sku,
  price: item.selling_price,
  caption: t('{sku} · {available_quantity} available', {
    sku: item.sku,
    available_quantity: item.available_quantity,
  }),
  picture: item.stl_thumbnail_path,
  tint: item.color_hex,
})

// The query key starts with the inventory's prefix, so that changes of the inventory refresh this query too.
const itemsQuery = (search: string) =>
  apiPageQuery(['inventory', 'brief', { search }], listInventory, {
    query: { limit: 8, ...(search && { search }) },
  })

/** Finds an item by name or SKU. */
export function ItemSearch({ onPick }: { onPick: (item: PickedItem) => void }) {
  const client = useQueryClient()
  const picker = usePickerSearch()
  const { search, isOpen } = picker
  const items = useQuery({ ...itemsQuery(search), enabled: isOpen })
  return (
    <EntityPicker
      picker={picker}
      chosen={null}
      onChange={(item: PickedItem | null) => item && onPick(item)}
      groups={[{ things: (items.data?.items ?? []).map(pickedItem) }]}
      isFound={items.isSuccess}
      nothingFound={
        search === '' ? (
          t('There are no items yet.')
        ) : (
          <>{rich('No item matches {search}.', { search: <bdi className="font-medium">“{search}”</bdi> })}</>
        )
      }
      findFirst={async (text) => {
        const [first] = (await client.fetchQuery(itemsQuery(text))).items
        return first && pickedItem(first)
      }}
      placeholder={t('Find an item by name or SKU')}
      listLabel={t('Items found')}
      clearLabel={t('Choose another')}
    />
  )
}

import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { type UpdateItemBody, updateInventoryItem } from '@pegasus/contracts/inventory/item-changes'
import { useQuery } from '@tanstack/react-query'
import { InlineEdit } from '@/components/kit/inline-edit.tsx'
import { saveWithUndo } from '@/components/kit/save-with-undo.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { useConfig } from '@/lib/http/config.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { formOf, readItemEdit } from '../item-forms/item-form.ts'
import { locationsQuery } from '../locations/locations.queries.ts'
import { locationLabel, priceOf } from './item-details.ts'
import { t } from '@/lib/i18n/messages.ts'

type InlineField = 'selling_price' | 'location'

const readField = (item: InventoryItem, field: InlineField, text: string) =>
  readItemEdit({ ...formOf(item), [field]: text }, [field])

/** Returns how InlineEdit checks and saves one field of an item. The change can be undone. */
function useField(item: InventoryItem, field: InlineField, name: string) {
  const refresh = useItemRefresh()
  const write = async (revision: number, body: UpdateItemBody): Promise<InventoryItem> => {
    const saved = await callApi(updateInventoryItem, {
      params: { id: item.id },
      body,
      headers: ifMatch(revision),
    })
    refresh(saved)
    return saved
  }
  /** The previous value, for Undo. It includes the bin, because a change of the location clears the bin. */
  const before: UpdateItemBody =
    field === 'location'
      ? { location: item.location, bin_location: item.bin_location }
      : { selling_price: item.selling_price }
  return {
    label: t('{name} of {name2}', { name, name2: item.name }),
    value: formOf(item)[field],
    check: (text: string) => readField(item, field, text).errors?.[field] ?? null,
    onSave: (text: string) =>
      saveWithUndo({
        write,
        revision: item.revision,
        // A bin is inside one location, so a change of the location clears it.
        body: { ...readField(item, field, text).body, ...(field === 'location' && { bin_location: null }) },
        before,
        title: t('{name} of “{name2}” saved', { name, name2: item.name }),
      }),
  }
}

/** The selling price of an item, editable in the row. */
export function PriceCell({ item }: { item: InventoryItem }) {
  const currency = useConfig()?.currency
  const field = useField(item, 'selling_price', t('Price'))
  return (
    <InlineEdit
      {...field}
      input={{ inputMode: 'decimal', ...(currency && { unit: currency }) }}
      className="font-medium"
    >
      {priceOf(item) || <span className="text-ink-3">–</span>}
    </InlineEdit>
  )
}

/** The location of an item, editable in the row. */
export function LocationCell({ item }: { item: InventoryItem }) {
  const { data } = useQuery(locationsQuery)
  const field = useField(item, 'location', t('Location'))
  const label = locationLabel(item)
  return (
    <InlineEdit
      {...field}
      suggestions={(data?.items ?? []).filter(({ kind }) => kind === 'place').map(({ path }) => path)}
    >
      <bdi className="line-clamp-2 text-caption text-ink-2" title={label}>
        {label === '' ? <span className="text-ink-3">–</span> : label.replace(' · ', '\u00a0·\u00a0')}
      </bdi>
    </InlineEdit>
  )
}

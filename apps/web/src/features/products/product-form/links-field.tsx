import { getInventoryItem } from '@pegasus/contracts/inventory/items'
import { getModel } from '@pegasus/contracts/stl-library/models'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { callApi } from '@/lib/http/api.ts'
import type { FormPartProps } from './form-parts.ts'
import { PartPicker } from './part-picker.tsx'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

export const modelOf = (id: string) => ({
  queryKey: ['stl-files', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getModel, { params: { id }, signal }),
})

export const itemOf = (id: string) => ({
  queryKey: ['inventory', 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getInventoryItem, { params: { id }, signal }),
})

/**
 * Selects the models that a product is made from, and the item that it is sold from. The licenses of these models are
 * checked before publishing.
 */
export function LinksField({ form, onChange }: Pick<FormPartProps, 'form' | 'onChange'>) {
  const [picking, setPicking] = useState<'model' | 'item' | null>(null)
  const { stl_file_ids: modelIds, inventory_item_id: itemId } = form
  const models = useQueries({ queries: modelIds.map(modelOf) })
  const item = useQuery({ ...itemOf(itemId ?? ''), enabled: itemId !== null })
  return (
    <fieldset className="col-span-6 min-w-0">
      <legend className="mb-[5px] text-label font-medium text-ink">{t('Made from')}</legend>
      <ul
        aria-label={t('Made from')}
        className="divide-y divide-line rounded-control border border-line empty:hidden"
      >
        {modelIds.map((id, at) => {
          const model = models[at]?.data
          return (
            <Linked
              key={id}
              picture={model?.thumbnail_path ?? null}
              name={
                model?.title ??
                (models[at]?.isError ? t('A model that is no longer in the library') : t('Loading…'))
              }
              note={
                model
                  ? t('Model · {license_type}', { license_type: LICENSE_LABELS[model.license_type] })
                  : t('Model')
              }
              onRemove={() => onChange({ stl_file_ids: modelIds.filter((each) => each !== id) })}
            />
          )
        })}
        {itemId !== null ? (
          <Linked
            picture={item.data?.stl_thumbnail_path ?? null}
            tint={item.data?.color_hex ?? null}
            name={item.data?.name ?? (item.isError ? t('An item that is no longer in stock') : t('Loading…'))}
            note={
              item.data
                ? t(
                    'Inventory · {sku} · {available_quantity, plural, one {# piece} other {# pieces}} available',
                    { sku: item.data.sku, available_quantity: item.data.available_quantity },
                  )
                : t('Inventory')
            }
            onRemove={() => onChange({ inventory_item_id: null })}
          />
        ) : null}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setPicking('model')}
        >
          {t('Add model')}
        </Button>
        <Button
          size="sm"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setPicking('item')}
        >
          {itemId === null ? t('Link inventory item') : t('Link another item instead')}
        </Button>
      </div>
      {picking ? (
        <PartPicker
          kind={picking}
          title={picking === 'model' ? t('Add a model') : t('Link an inventory item')}
          onClose={() => setPicking(null)}
          onPick={({ kind, id }) => {
            setPicking(null)
            if (kind === 'item') onChange({ inventory_item_id: id })
            else if (!modelIds.includes(id)) onChange({ stl_file_ids: [...modelIds, id] })
          }}
        />
      ) : null}
    </fieldset>
  )
}

interface LinkedProps {
  picture: string | null
  tint?: string | null
  name: string
  note: string
  onRemove: () => void
}

const Linked = ({ picture, tint, name, note, onRemove }: LinkedProps) => (
  <li className="flex items-center gap-3 p-2">
    <PartPicture src={picture} tint={tint} className="size-11" />
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium" title={name}>
        <bdi className="block truncate">{name}</bdi>
      </p>
      <p className="truncate text-caption text-ink-3">{note}</p>
    </div>
    <IconButton size="sm" label={t('Remove {name}', { name })} onClick={onRemove}>
      <X size={14} strokeWidth={1.75} aria-hidden />
    </IconButton>
  </li>
)

import { useSearchParams } from 'react-router'
import { TrashView } from '@/components/trash-view.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { deletedItemsQuery } from '../inventory.queries.ts'
import { withView } from '../inventory-address.ts'
import { useItemTrash } from './use-item-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the items deleted in the last 30 days and restores them. */
export function TrashPage() {
  const [params] = useSearchParams()
  const { restore } = useItemTrash()
  return (
    <TrashView
      query={deletedItemsQuery}
      list={{ to: `?${withView(params, null)}`, name: t('Inventory'), one: 'item' }}
      note={t('with their stock and its history')}
      columns={[
        {
          id: 'quantity',
          head: t('Quantity'),
          track: '100px',
          isNumber: true,
          from: 760,
          cell: ({ quantity }) => formatCount(quantity),
        },
      ]}
      nameOf={({ name }) => name}
      pictureOf={({ stl_thumbnail_path: src, color_hex: tint }) => ({ src, tint })}
      row={({ name, sku }) => (
        <>
          <p className="truncate font-medium" title={name}>
            <bdi className="block truncate">{name}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3 code">{sku}</p>
        </>
      )}
      onRestore={restore.mutate}
      restoringId={restore.isPending ? restore.variables.id : null}
    />
  )
}

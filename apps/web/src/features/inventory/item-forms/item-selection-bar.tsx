import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { Pencil, Printer } from 'lucide-react'
import { useState } from 'react'
import { SelectionBar, SelectionAction } from '@/components/selection/selection-bar.tsx'
import { useBulkDelete } from '@/components/selection/use-bulk-delete.ts'
import type { Selection } from '@/components/selection/use-selection.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { BulkItemsDialog } from './bulk-items-dialog.tsx'
import { bulkMoveItems } from './use-item-mutations.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Actions for the selected items. */
export function ItemSelectionBar({ selection }: { selection: Selection<InventoryItem> }) {
  const { things } = selection
  const [isEditing, setIsEditing] = useState(false)
  const refresh = useItemRefresh()
  const deletion = useBulkDelete({
    selection,
    one: 'item',
    undone: (count) => t('{count} back in the inventory', { count }),
    remove: (ids) => bulkMoveItems(ids, 'bin'),
    restore: (ids) => bulkMoveItems(ids, 'stock'),
    refresh: () => refresh(),
  })
  const pieces = [...things.values()].reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <>
      <SelectionBar
        selection={selection}
        one="item"
        nameOf={({ name }) => name}
        sum={t('{pieces, plural, one {# piece} other {# pieces}}', { pieces })}
        deletion={deletion}
      >
        <SelectionAction icon={<Pencil {...ICON} />} onClick={() => setIsEditing(true)}>
          {t('Edit')}
        </SelectionAction>
        <SelectionAction
          icon={<Printer {...ICON} />}
          onClick={() => printLabels([...things.keys()].map((id) => ({ kind: 'item', id })))}
        >
          {t('Print labels')}
        </SelectionAction>
      </SelectionBar>
      {isEditing ? <BulkItemsDialog selection={selection} onClose={() => setIsEditing(false)} /> : null}
    </>
  )
}

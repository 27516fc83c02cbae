import type { InventoryItem } from '@pegasus/contracts/inventory'
import { Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FailedRows } from '@/components/failed-rows.tsx'
import { Button } from '@/components/ui/button.tsx'
import { InDock } from '@/components/ui/dock.tsx'
import { Kbd } from '@/components/ui/kbd.tsx'
import { toast } from '@/components/ui/toast-store.ts'
import type { Selection } from '@/components/use-selection.ts'
import { formatCount, formatNumberOf } from '@/lib/format.ts'
import { printLabels } from '@/lib/print-labels.ts'
import { tellFailure } from '../moving/use-moving.ts'
import { BulkItemsDialog } from './bulk-items-dialog.tsx'
import { useBulkItems, useMoveItems } from './use-keeping.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** What may be done with the items that are ticked. */
export function ItemSelectionBar({ selection }: { selection: Selection<InventoryItem> }) {
  const { things, clear } = selection
  const [isEditing, setIsEditing] = useState(false)
  const { failed, deleteAll, isDeleting } = useBulkDelete(selection)
  const pieces = [...things.values()].reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <InDock>
      <section
        aria-label="Selection"
        // Alone on a phone it keeps clear of the button that stands out of the bar below.
        className="max-w-full animate-rise rounded-card border border-line-2 bg-surface shadow-float phone:mx-3 phone:max-w-none phone:only:mb-6"
      >
        {failed.length > 0 ? (
          <FailedRows
            one="item"
            failed={failed}
            nameOf={(id) => things.get(id)?.name ?? id}
            className="px-4 pt-3"
          />
        ) : null}
        <div className="flex min-h-11 flex-wrap items-center gap-1 py-1.5 pr-2 pl-4 phone:pl-3">
          <p className="mr-2 whitespace-nowrap phone:flex-1" role="status">
            <strong className="font-semibold">{formatCount(things.size)} selected</strong>{' '}
            <span className="ml-1 text-ink-3">{formatNumberOf(pieces, 'piece')}</span>
          </p>
          <span className="mr-1 h-6 w-px bg-line phone:hidden" aria-hidden />
          {/* On a phone the verbs stand below what they are for. */}
          <span className="order-1 hidden h-0 basis-full phone:block" aria-hidden />
          <Button
            variant="ghost"
            className="phone:order-2"
            icon={<Pencil {...ICON} />}
            onClick={() => setIsEditing(true)}
          >
            Edit
          </Button>
          <Button
            variant="ghost"
            className="phone:order-2"
            icon={<Printer {...ICON} />}
            onClick={() => printLabels([...things.keys()].map((id) => ({ kind: 'item', id })))}
          >
            Print labels
          </Button>
          <Button
            variant="ghost"
            className="text-red-ink! enabled:hover:bg-red-soft! phone:order-2"
            icon={<Trash2 {...ICON} />}
            isPending={isDeleting}
            onClick={deleteAll}
          >
            Delete
          </Button>
          <span className="mx-1 h-6 w-px bg-line phone:hidden" aria-hidden />
          <Button variant="ghost" onClick={clear}>
            Clear
            <span className="touch:hidden" aria-hidden>
              <Kbd>Esc</Kbd>
            </span>
          </Button>
        </div>
        {isEditing ? <BulkItemsDialog selection={selection} onClose={() => setIsEditing(false)} /> : null}
      </section>
    </InDock>
  )
}

function useBulkDelete({ things, keep }: Selection<InventoryItem>) {
  const bulk = useBulkItems()
  const restore = useMoveItems('stock')
  const deleteAll = () =>
    bulk.mutate(
      { ids: [...things.keys()], move: 'bin' },
      {
        onSuccess: ({ changed, failed }) => {
          keep(failed.map(({ id }) => id))
          if (changed.length === 0) return
          toast({
            title: `${formatNumberOf(changed.length, 'item')} ${changed.length === 1 ? 'is' : 'are'} in the bin`,
            action: { label: 'Undo', onSelect: () => restore.mutate(changed) },
          })
        },
        onError: tellFailure,
      },
    )
  const failed = (bulk.data?.failed ?? []).filter(({ id }) => things.has(id))
  return { failed, deleteAll, isDeleting: bulk.isPending }
}

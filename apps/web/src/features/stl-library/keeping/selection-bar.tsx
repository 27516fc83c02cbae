import { Download, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { InDock } from '@/components/ui/dock.tsx'
import { Kbd } from '@/components/ui/kbd.tsx'
import { toast } from '@/components/ui/toast-store.ts'
import { formatCount, formatKb, formatNumberOf } from '@/lib/format.ts'
import { downloadModel } from '../model-file.ts'
import { BulkEditDialog } from './bulk-edit-dialog.tsx'
import { FailedModels } from './failed-models.tsx'
import { tellFailure, useBulkEdit } from './keeping.queries.ts'
import type { Selection } from './use-selection.ts'

/** More than these at once a browser takes for a mistake, and asks. */
const MAX_DOWNLOADS = 10

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** What may be done with the models that are ticked. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { models, clear } = selection
  const [isEditing, setIsEditing] = useState(false)
  const [isDownloading, setIsDownloading] = useState(false)
  const { failed, deleteAll, isDeleting } = useBulkDelete(selection)
  const bytes = [...models.values()].reduce((sum, { file_size }) => sum + file_size, 0)
  const download = async () => {
    setIsDownloading(true)
    try {
      for (const model of models.values()) await downloadModel(model)
    } catch (error) {
      tellFailure(error)
    } finally {
      setIsDownloading(false)
    }
  }
  return (
    <InDock>
      <section
        aria-label="Selection"
        // Alone on a phone it keeps clear of the button that stands out of the bar below.
        className="max-w-full animate-rise rounded-card border border-line-2 bg-surface shadow-float phone:mx-3 phone:max-w-none phone:only:mb-6"
      >
        {failed.length > 0 ? <FailedModels failed={failed} names={models} className="px-4 pt-3" /> : null}
        <div className="flex min-h-11 flex-wrap items-center gap-1 py-1.5 pr-2 pl-4 phone:pl-3">
          <p className="mr-2 whitespace-nowrap phone:flex-1" role="status">
            <strong className="font-semibold">{formatCount(models.size)} selected</strong>{' '}
            <span className="ml-1 text-ink-3">{formatKb(bytes)}</span>
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
          {models.size <= MAX_DOWNLOADS ? (
            <Button
              variant="ghost"
              className="phone:order-2"
              icon={<Download {...ICON} />}
              isPending={isDownloading}
              onClick={() => void download()}
            >
              Download
            </Button>
          ) : null}
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
        {isEditing ? <BulkEditDialog selection={selection} onClose={() => setIsEditing(false)} /> : null}
      </section>
    </InDock>
  )
}

function useBulkDelete({ models, keep }: Selection) {
  const bulk = useBulkEdit()
  const restore = useBulkEdit()
  const undo = (ids: string[]) =>
    restore.mutate(
      { ids, move: 'library' },
      {
        onSuccess: ({ changed }) =>
          toast({ title: `${formatNumberOf(changed.length, 'model')} back in the library` }),
        onError: tellFailure,
      },
    )
  const deleteAll = () =>
    bulk.mutate(
      { ids: [...models.keys()], move: 'bin' },
      {
        onSuccess: ({ changed, failed }) => {
          keep(failed.map(({ id }) => id))
          if (changed.length === 0) return
          toast({
            title: `${formatNumberOf(changed.length, 'model')} ${changed.length === 1 ? 'is' : 'are'} in the bin`,
            action: { label: 'Undo', onSelect: () => undo(changed) },
          })
        },
        onError: tellFailure,
      },
    )
  const failed = (bulk.data?.failed ?? []).filter(({ id }) => models.has(id))
  return { failed, deleteAll, isDeleting: bulk.isPending }
}

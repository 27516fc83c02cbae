import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { Download, Pencil } from 'lucide-react'
import { useState } from 'react'
import { SelectionBar, SelectionAction } from '@/components/selection/selection-bar.tsx'
import { toastError } from '@/components/toast-error.ts'
import { useBulkDelete } from '@/components/selection/use-bulk-delete.ts'
import type { Selection } from '@/components/selection/use-selection.ts'
import { formatKb } from '@/lib/format/format.ts'
import { downloadModel } from '../fields/model-file.ts'
import { BulkEditDialog } from './bulk-edit-dialog.tsx'
import { moveModels, useModelsRefresh } from './model-mutations.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Maximum number of downloads that are started together. For more, browsers ask for confirmation. */
const MAX_DOWNLOADS = 10

/** The actions for the selected models. */
export function ModelSelectionBar({ selection }: { selection: Selection<ListedModel> }) {
  const { things } = selection
  const [isEditing, setIsEditing] = useState(false)
  const [isDownloading, setIsDownloading] = useState(false)
  const deletion = useBulkDelete({
    selection,
    one: 'model',
    undone: (count) => t('{count} back in the library', { count }),
    remove: (ids) => moveModels(ids, 'bin'),
    restore: (ids) => moveModels(ids, 'library'),
    refresh: useModelsRefresh(),
  })
  const bytes = [...things.values()].reduce((sum, { file_size }) => sum + file_size, 0)
  const download = async () => {
    setIsDownloading(true)
    try {
      for (const model of things.values()) await downloadModel(model)
    } catch (error) {
      toastError(error)
    } finally {
      setIsDownloading(false)
    }
  }
  return (
    <>
      <SelectionBar
        selection={selection}
        one="model"
        nameOf={({ title }) => title}
        sum={formatKb(bytes)}
        deletion={deletion}
      >
        <SelectionAction icon={<Pencil {...ICON} />} onClick={() => setIsEditing(true)}>
          {t('Edit')}
        </SelectionAction>
        {things.size <= MAX_DOWNLOADS ? (
          <SelectionAction
            icon={<Download {...ICON} />}
            isPending={isDownloading}
            onClick={() => void download()}
          >
            {t('Download')}
          </SelectionAction>
        ) : null}
      </SelectionBar>
      {isEditing ? <BulkEditDialog selection={selection} onClose={() => setIsEditing(false)} /> : null}
    </>
  )
}

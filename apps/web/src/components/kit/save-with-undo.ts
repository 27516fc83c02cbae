import { toastError } from '../toast-error.ts'
import { toast } from '../ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

interface UndoableSave<Thing, Body> {
  /** Saves a change of the entity at a revision. Rejects if somebody else has changed the entity since. */
  write: (revision: number, body: Body) => Promise<Thing>
  revision: number
  body: Body
  /** The previous values, for Undo. */
  before: Body
  /** Text of the toast after saving. */
  title: string
}

/** Saves a change of an entity and shows a toast with Undo. */
export async function saveWithUndo<Thing extends { revision: number }, Body>(
  save: UndoableSave<Thing, Body>,
): Promise<void> {
  const { write, before, title } = save
  const { revision } = await write(save.revision, save.body)
  toast({
    title,
    // Undo sends the revision of this save, so that the server refuses it if somebody else has changed the entity
    // since.
    action: { label: t('Undo'), onSelect: () => void write(revision, before).catch(toastError) },
  })
}

import { TRASH_DAYS } from '@pegasus/contracts/fields'
import { useMutation } from '@tanstack/react-query'
import { toastError } from './toast-error.ts'
import { toast } from './ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

interface TrashMutations<Thing> {
  remove: (id: string) => Promise<unknown>
  restore: (id: string) => Promise<Thing>
  /** The texts of the toasts after moving an object and after restoring it. */
  removedText: (thing: Thing) => string
  restoredText: (thing: Thing) => string
  /** Refetches the queries that show the object. */
  refresh: () => void
}

/** Moves an object to the trash, with Undo in the toast, and restores it. */
export function useTrashMutations<Thing extends { id: string }>(options: TrashMutations<Thing>) {
  const handlers = { onError: toastError, onSettled: () => options.refresh() }
  const restore = useMutation({
    mutationFn: ({ id }: Pick<Thing, 'id'>) => options.restore(id),
    onSuccess: (thing) => toast({ title: options.restoredText(thing) }),
    ...handlers,
  })
  const remove = useMutation({
    mutationFn: ({ id }: Thing) => options.remove(id),
    onSuccess: (_, thing) =>
      toast({
        title: options.removedText(thing),
        action: { label: t('Undo'), onSelect: () => restore.mutate(thing) },
      }),
    ...handlers,
  })
  return { remove, restore }
}

/** Returns the texts of the toasts, with the name of the object. */
export const trashTexts = <Thing>(nameOf: (thing: Thing) => string) => ({
  removedText: (thing: Thing) =>
    t('{thing} is in the trash for {TRASH_DAYS} days', { thing: nameOf(thing), TRASH_DAYS }),
  restoredText: (thing: Thing) => t('{thing} is back', { thing: nameOf(thing) }),
})

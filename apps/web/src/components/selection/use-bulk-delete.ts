import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { useMutation } from '@tanstack/react-query'
import { toastError } from '../toast-error.ts'
import { toast } from '../ui/overlays/toast-store.ts'
import type { Selection } from './use-selection.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

interface BulkMoveOptions {
  one: Noun
  move: (ids: string[]) => Promise<BulkResult>
  /**
   * Returns the text of the toast after success. Gets the formatted number of entities: `2 items back in the library`.
   */
  done: (count: string) => string
  /** Refetches the queries that show the entities. */
  refresh: () => void
}

/** Moves many entities to or from the trash, and reports the result in a toast. */
export function useBulkMove({ one, move, done, refresh }: BulkMoveOptions) {
  return useMutation({
    mutationFn: move,
    // This is an option of the hook, not of `mutate`. React Query drops the callbacks of `mutate` when the
    // component unmounts, and the selection bar unmounts here.
    onSuccess: ({ changed, failed: [first, ...others] }) => {
      if (!first) return toast({ title: done(NOUNS[one].count(changed.length)) })
      const count = NOUNS[one].count(others.length + 1)
      toast({ title: t('{count} could not be moved: {detail}', { count, detail: serverText(first.detail) }) })
    },
    onError: toastError,
    onSettled: refresh,
  })
}

interface BulkDeleteOptions<Thing extends { id: string }> {
  selection: Selection<Thing>
  one: Noun
  /** Returns the toast after Undo: `2 items back in the library`. */
  undone: (count: string) => string
  remove: (ids: string[]) => Promise<BulkResult>
  restore: (ids: string[]) => Promise<BulkResult>
  refresh: () => void
}

/**
 * Moves all selected rows to the trash and offers Undo. Rows that could not be deleted stay selected, each with its
 * reason.
 */
export function useBulkDelete<Thing extends { id: string }>(options: BulkDeleteOptions<Thing>) {
  const { selection, one, undone, remove, restore, refresh } = options
  const { things, keep } = selection
  const undo = useBulkMove({
    one,
    move: restore,
    done: undone,
    refresh,
  })
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: ({ changed, failed }) => {
      keep(failed.map(({ id }) => id))
      if (changed.length === 0) return
      toast({
        title: t('{count, plural, one {{things} is} other {{things} are}} in the trash', {
          things: NOUNS[one].count(changed.length),
          count: changed.length,
        }),
        action: { label: t('Undo'), onSelect: () => undo.mutate(changed) },
      })
    },
    onError: toastError,
    onSettled: refresh,
  })
  return {
    failed: (deletion.data?.failed ?? []).filter(({ id }) => things.has(id)),
    deleteAll: () => deletion.mutate([...things.keys()]),
    isDeleting: deletion.isPending,
  }
}

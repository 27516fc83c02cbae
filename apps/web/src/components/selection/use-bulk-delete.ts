import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { useMutation } from '@tanstack/react-query'
import { formatNumberOf } from '@/lib/format/format.ts'
import { toastError } from '../toast-error.ts'
import { toast } from '../ui/overlays/toast-store.ts'
import type { Selection } from './use-selection.ts'

interface BulkMoveOptions {
  /** Name of one entity: `item`. */
  one: string
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
      if (!first) return toast({ title: done(formatNumberOf(changed.length, one)) })
      const count = formatNumberOf(others.length + 1, one)
      toast({ title: `${count} could not be moved: ${first.detail}` })
    },
    onError: toastError,
    onSettled: refresh,
  })
}

interface BulkDeleteOptions<Thing extends { id: string }> {
  selection: Selection<Thing>
  one: string
  /** Name of the list to which Undo restores the entities, for the toast: `library`. */
  home: string
  remove: (ids: string[]) => Promise<BulkResult>
  restore: (ids: string[]) => Promise<BulkResult>
  refresh: () => void
}

/**
 * Moves all selected rows to the trash and offers Undo. Rows that could not be deleted stay selected, each with its
 * reason.
 */
export function useBulkDelete<Thing extends { id: string }>(options: BulkDeleteOptions<Thing>) {
  const { selection, one, home, remove, restore, refresh } = options
  const { things, keep } = selection
  const undo = useBulkMove({
    one,
    move: restore,
    done: (count) => `${count} back in the ${home}`,
    refresh,
  })
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: ({ changed, failed }) => {
      keep(failed.map(({ id }) => id))
      if (changed.length === 0) return
      toast({
        title: `${formatNumberOf(changed.length, one)} ${changed.length === 1 ? 'is' : 'are'} in the trash`,
        action: { label: 'Undo', onSelect: () => undo.mutate(changed) },
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

import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { useMutation } from '@tanstack/react-query'
import { formatNumberOf } from '@/lib/format/format.ts'
import { tellFailure } from './toast-error.ts'
import { toast } from './ui/overlays/toast-store.ts'
import type { Selection } from './use-selection.ts'

interface BulkMoveOptions {
  /** What they are: `item`. */
  one: string
  move: (ids: string[]) => Promise<BulkResult>
  /** What is said where all went well: `back in the library`. */
  done: (count: string) => string
  /** Everything that shows them asks again. */
  refresh: () => void
}

/** Takes back what was done to many. It tells how that went even where nothing else of the list is left. */
export function useBulkMove({ one, move, done, refresh }: BulkMoveOptions) {
  return useMutation({
    mutationFn: move,
    // Here and not beside `mutate`, whose callbacks go with the component: a bar of what is ticked goes first.
    onSuccess: ({ changed, failed: [first, ...others] }) => {
      if (!first) return toast({ title: done(formatNumberOf(changed.length, one)) })
      const count = formatNumberOf(others.length + 1, one)
      toast({ title: `${count} could not be moved: ${first.detail}` })
    },
    onError: tellFailure,
    onSettled: refresh,
  })
}

interface BulkDeleteOptions<Thing extends { id: string }> {
  selection: Selection<Thing>
  one: string
  /** Where they are back once it is undone: `library`. */
  home: string
  toBin: (ids: string[]) => Promise<BulkResult>
  fromBin: (ids: string[]) => Promise<BulkResult>
  refresh: () => void
}

/** Puts all that are ticked into the bin, with Undo beside what is said. What stays is still ticked, with its reason. */
export function useBulkDelete<Thing extends { id: string }>(options: BulkDeleteOptions<Thing>) {
  const { selection, one, home, toBin, fromBin, refresh } = options
  const { things, keep } = selection
  const restore = useBulkMove({
    one,
    move: fromBin,
    done: (count) => `${count} back in the ${home}`,
    refresh,
  })
  const bin = useMutation({
    mutationFn: toBin,
    onSuccess: ({ changed, failed }) => {
      keep(failed.map(({ id }) => id))
      if (changed.length === 0) return
      toast({
        title: `${formatNumberOf(changed.length, one)} ${changed.length === 1 ? 'is' : 'are'} in the bin`,
        action: { label: 'Undo', onSelect: () => restore.mutate(changed) },
      })
    },
    onError: tellFailure,
    onSettled: refresh,
  })
  return {
    failed: (bin.data?.failed ?? []).filter(({ id }) => things.has(id)),
    deleteAll: () => bin.mutate([...things.keys()]),
    isDeleting: bin.isPending,
  }
}

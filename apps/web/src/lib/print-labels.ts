import { type LabelThing, MAX_LABEL_SUBJECTS, listLabelQueue } from '@pegasus/contracts/labels/labels'
import { queryOptions } from '@tanstack/react-query'
import { callList } from './http/api.ts'

type Opener = (things: readonly LabelThing[]) => void

let open: Opener | null = null

/** What shows the dialog registers itself here, so that rooms need not know it. Returns what takes it back. */
export function connectLabelDialog(opener: Opener): () => void {
  open = opener
  return () => {
    if (open === opener) open = null
  }
}

/**
 * Opens the dialog that prints labels of these things, in this order: of an item, a selection, a shelf, a spool.
 * `printLabels([{ kind: 'item', id }])` works in every room; of more than 500 the first 500 are taken.
 */
export function printLabels(things: readonly LabelThing[]): void {
  if (things.length > 0) open?.(things)
}

/** Labels that were never printed or say something else by now, newest first, as many as one run prints. */
export const dueLabelsQuery = queryOptions({
  queryKey: ['labels', 'due'],
  queryFn: ({ signal }) => callList(listLabelQueue, { query: { limit: MAX_LABEL_SUBJECTS }, signal }),
})

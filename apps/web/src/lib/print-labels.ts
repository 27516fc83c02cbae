import { type LabelSubject, MAX_LABEL_SUBJECTS, listLabelQueue } from '@pegasus/contracts/labels/labels'
import { apiPageQuery } from '@/lib/http/api-queries.ts'

type Opener = (things: readonly LabelSubject[]) => void

let open: Opener | null = null

/**
 * Registers the function that opens the dialog. The dialog's component calls it, so that pages do not depend on the
 * dialog. Returns a function that unregisters it.
 */
export function connectLabelDialog(opener: Opener): () => void {
  open = opener
  return () => {
    if (open === opener) open = null
  }
}

/**
 * Opens the dialog that prints labels of these subjects in this order: `printLabels([{ kind: 'item', id }])`. Works on
 * every page. At most 500 labels are printed.
 */
export function printLabels(things: readonly LabelSubject[]): void {
  if (things.length > 0) open?.(things)
}

/** Returns labels that were never printed or whose texts have changed. Newest first, up to the limit of one run. */
export const dueLabelsQuery = apiPageQuery(['labels', 'due'], listLabelQueue, {
  query: { limit: MAX_LABEL_SUBJECTS },
})

import type { LabelSubject } from '@pegasus/contracts/labels/labels'

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

import { useEffect, useEffectEvent } from 'react'

interface OpenDialog {
  /** Position of the page in the history, as React Router numbers its entries. */
  index: number
  close: () => void
}

/** The open dialogs. The topmost is the last. */
const openDialogs: OpenDialog[] = []
/** The dialog that Back closes, while the browser returns to the dialog's entry. */
let returning: OpenDialog | null = null

/** Returns the position of the current entry in the history. Outside the app's own entries, returns undefined. */
function currentIndex(): number | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined
}

/**
 * Closes the topmost dialog instead of leaving the page. The browser has left the entry already, so the page first
 * returns to it. React Router must not see either step.
 */
function handlePop(event: PopStateEvent): void {
  const index = currentIndex()
  if (returning) {
    event.stopImmediatePropagation()
    // A second Back may arrive before the browser has returned.
    if (index !== undefined && index !== returning.index) return history.go(returning.index - index)
    const closed = returning
    returning = null
    // The dialog may have closed itself already.
    if (openDialogs.includes(closed)) closed.close()
    return
  }
  const dialog = openDialogs.at(-1)
  // A step forward leads to another page, as usual.
  if (!dialog || index === undefined || index >= dialog.index) return
  event.stopImmediatePropagation()
  returning = dialog
  history.go(dialog.index - index)
}

// The router listens too, so this listener must be called first.
if (typeof window !== 'undefined') addEventListener('popstate', handlePop, { capture: true })

/**
 * While the dialog is open, the browser's Back button calls `close`, and the page stays. If the page is the first entry
 * of the app, it gets a second entry, because Back would leave the app. That entry stays, so one Back does nothing
 * after the dialog was closed in another way. A dialog that the address opened before any input gets no second entry,
 * because the first entry would open it again.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const closeByBack = useEffectEvent(close)
  useEffect(() => {
    const index = currentIndex()
    if (!isOpen || index === undefined) return
    const isFirst = index === 0 && navigator.userActivation.hasBeenActive
    if (isFirst) history.pushState({ ...history.state, idx: 1 }, '')
    const dialog = { index: isFirst ? 1 : index, close: () => closeByBack() }
    openDialogs.push(dialog)
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1)
    }
  }, [isOpen])
}

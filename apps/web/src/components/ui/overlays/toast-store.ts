/** Default duration of a toast, in ms. */
const DEFAULT_DURATION_MS = 5000

export interface ToastAction {
  label: string
  onSelect: () => void
}

export interface ToastOptions {
  /** Text of a few words that says what has changed. */
  title: string
  action?: ToastAction
  /** A second action next to Undo, such as a link to the new object. */
  otherAction?: ToastAction
  durationMs?: number
  /** Whether the toast ends on time even while a person points at it or works in another window. */
  endsOnTime?: boolean
}

export interface ShownToast extends ToastOptions {
  id: number
  durationMs: number
}

// Only one toast is shown at a time. A new toast replaces the previous one.
let shownToast: ShownToast | null = null
let lastId = 0
/** The open dialogs, topmost last. */
const dialogs: HTMLElement[] = []
const listeners = new Set<() => void>()

function show(next: ShownToast | null): void {
  shownToast = next
  notifyListeners()
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Shows a toast at the bottom of the window; `action` is usually Undo. */
export function toast({ durationMs = DEFAULT_DURATION_MS, ...options }: ToastOptions): void {
  lastId += 1
  const id = lastId
  show({ ...options, durationMs, id })
  if (options.endsOnTime) setTimeout(() => dismissToast(id), durationMs)
}

/**
 * Moves toasts into an open dialog, because everything outside the dialog is inaccessible while it is open.
 * Returns the clean-up function.
 */
export function hostToasts(dialog: HTMLElement): () => void {
  dialogs.push(dialog)
  notifyListeners()
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1)
    notifyListeners()
  }
}

/** Returns the topmost dialog, in which toasts are rendered; null if they are rendered on the page. */
export const getToastHost = (): HTMLElement | null => dialogs.at(-1) ?? null

export const getShownToast = (): ShownToast | null => shownToast

export function dismissToast(id: number): void {
  if (shownToast?.id === id) show(null)
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

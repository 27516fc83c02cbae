/** How long a toast stays, unless it says otherwise. */
const DEFAULT_DURATION_MS = 5000

export interface ToastAction {
  label: string
  onSelect: () => void
}

export interface ToastOptions {
  /** What changed, in a few words. */
  title: string
  action?: ToastAction
  /** Besides Undo, such as the way to what was made. */
  otherAction?: ToastAction
  durationMs?: number
}

export interface ShownToast extends ToastOptions {
  id: number
  durationMs: number
}

// One at a time: a new toast takes the place of the one before.
let shown: ShownToast | null = null
let lastId = 0
/** Dialogs that are open, the one on top last. */
const dialogs: HTMLElement[] = []
const listeners = new Set<() => void>()

function show(next: ShownToast | null): void {
  shown = next
  tellListeners()
}

function tellListeners(): void {
  for (const listener of listeners) listener()
}

/** Tells what has just happened, at the bottom of the window; `action` is usually Undo. */
export function toast({ durationMs = DEFAULT_DURATION_MS, ...options }: ToastOptions): void {
  lastId += 1
  show({ ...options, durationMs, id: lastId })
}

/** Has toasts stand in an open dialog: outside of it, nothing can be reached meanwhile. Answers what ends that. */
export function hostToasts(dialog: HTMLElement): () => void {
  dialogs.push(dialog)
  tellListeners()
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1)
    tellListeners()
  }
}

/** Where toasts stand: the dialog on top, or null for the page. */
export const getToastHost = (): HTMLElement | null => dialogs.at(-1) ?? null

export const getShownToast = (): ShownToast | null => shown

export function dismissToast(id: number): void {
  if (shown?.id === id) show(null)
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { useEffect, useEffectEvent } from 'react'

const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=""], [contenteditable=true]'
const OPEN = '[role=dialog], dialog[open], [role=alertdialog], [role=menu], [role=listbox]'

/** The longest pause between two characters of a keyboard scanner, in ms. People type more slowly. */
const SCANNER_GAP_MS = 60

/** Returns whether a key press is meant for the page, and not for a field, a dialog, a menu or the browser. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !(event.target instanceof Element && event.target.closest(FIELDS)) &&
  document.querySelector(OPEN) === null

/** Maps the name of a key (`r`, `Escape`) to its action. Null while the key has no action. */
export type Shortcuts = Readonly<Record<string, (() => void) | null>>

/**
 * Handles keys of the page, outside of fields, dialogs and menus. A letter acts a moment later, because the code from a
 * keyboard scanner may begin with it. If another key follows at once, neither acts.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const find = useEffectEvent((key: string) => shortcuts[key] ?? null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAtMs = Number.NEGATIVE_INFINITY
    const handleKey = (event: KeyboardEvent) => {
      const isFast = event.timeStamp - lastAtMs <= SCANNER_GAP_MS
      lastAtMs = event.timeStamp
      clearTimeout(timer)
      const act = find(event.key)
      if (isFast || event.repeat || !act || !isForPage(event)) return
      event.preventDefault()
      // The action is looked up again, because the page may have changed meanwhile.
      if (event.key.length === 1) timer = setTimeout(() => find(event.key)?.(), SCANNER_GAP_MS)
      else act()
    }
    addEventListener('keydown', handleKey)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', handleKey)
    }
  }, [])
}

import { useEffect, useEffectEvent } from 'react'

const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=""], [contenteditable=true]'
const OPEN = '[role=dialog], dialog[open], [role=alertdialog], [role=menu], [role=listbox]'

/** A keyboard scanner types its characters faster than this, and a person slower. */
const SCANNER_GAP_MS = 60

/** Whether a key is meant for the page: not for a field, a dialog, a menu or the browser. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !(event.target instanceof Element && event.target.closest(FIELDS)) &&
  document.querySelector(OPEN) === null

/** The action of each key, by the name of the key: `r`, `Escape`. Null while a key does nothing. */
export type Shortcuts = Readonly<Record<string, (() => void) | null>>

/**
 * Keys of the page, outside of fields, dialogs and menus. A letter acts a moment later, because a code from a keyboard scanner
 * begins with a letter as well: when another key follows at once, neither acts.
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
      // The action is found again, because the page may have changed meanwhile.
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

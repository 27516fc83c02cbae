import { useEffect, useEffectEvent } from 'react'

const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=""], [contenteditable=true]'
const OPEN = '[role=dialog], dialog[open], [role=alertdialog], [role=menu], [role=listbox]'

/** The longest pause between two characters of a keyboard scanner, in ms. People type more slowly. */
const SCANNER_GAP_MS = 60

/** Returns whether a key press is for the page, not for a field, a dialog, a menu or the browser. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !(event.target instanceof Element && event.target.closest(FIELDS)) &&
  document.querySelector(OPEN) === null

/**
 * Returns the key of a shortcut. On a layout without Latin letters, such as Hebrew or Cyrillic, this is the
 * letter that the same key has on a US keyboard, so that the shortcuts work on every layout.
 */
export function shortcutKey(event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
  // Characters after ASCII are letters of another script. Longer names are keys such as Enter.
  if (letter === undefined || event.key.length !== 1 || event.key <= '~') return event.key
  return event.shiftKey ? letter : letter.toLowerCase()
}

/** Maps the name of a key (`r`, `Escape`) to its action. Null while the key has no action. */
export type Shortcuts = Readonly<Record<string, (() => void) | null>>

/**
 * Handles keyboard shortcuts of the page, outside fields, dialogs and menus. A letter takes effect a moment
 * later, because it may be the start of a code from a keyboard scanner. If another key follows immediately,
 * both are ignored.
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
      const key = shortcutKey(event)
      const act = find(key)
      if (isFast || event.repeat || !act || !isForPage(event)) return
      event.preventDefault()
      // Look up the action again, because the page may have changed in the meantime.
      if (key.length === 1) timer = setTimeout(() => find(key)?.(), SCANNER_GAP_MS)
      else act()
    }
    addEventListener('keydown', handleKey)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', handleKey)
    }
  }, [])
}

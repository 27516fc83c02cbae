import { useEffect } from 'react'

/**
 * Escape closes only the list of a combobox, not the dialog around it. A capturing listener on the window
 * runs before the dialog's listener.
 */
export function useListEscape(isOpen: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!isOpen) return
    const handleKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !document.querySelector('[role=combobox][aria-expanded=true]:focus'))
        return
      event.stopPropagation()
      onEscape()
    }
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  })
}

/**
 * Returns the ARIA properties of a field that chooses from the list with this id. `active` is the index of the active
 * entry.
 */
export const comboboxProps = (listId: string, offered: readonly unknown[], active: number) => ({
  role: 'combobox',
  'aria-autocomplete': 'list' as const,
  'aria-expanded': offered.length > 0,
  'aria-controls': listId,
  'aria-activedescendant': offered[active] ? `${listId}-${active}` : undefined,
  autoComplete: 'off',
})

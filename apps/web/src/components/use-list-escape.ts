import { useEffect } from 'react'

/** Escape closes the list of a combobox alone, and not the dialog around it, which listens further down. */
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

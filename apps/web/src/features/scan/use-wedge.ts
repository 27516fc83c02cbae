import { useEffect, useEffectEvent } from 'react'
import { createWedge } from './wedge.ts'

const FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable=true]'

/** Listens for a keyboard scanner on any page, outside of text fields. */
export function useWedge(onCode: (code: string) => void): void {
  const tell = useEffectEvent(onCode)
  useEffect(() => {
    const wedge = createWedge()
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.target instanceof Element && event.target.closest(FIELDS)) return
      const code = wedge.press(event.key, event.timeStamp)
      if (code === null) return
      // The Enter would press the focused button.
      event.preventDefault()
      event.stopPropagation()
      tell(code)
    }
    addEventListener('keydown', handleKey, { capture: true })
    return () => removeEventListener('keydown', handleKey, { capture: true })
  }, [])
}

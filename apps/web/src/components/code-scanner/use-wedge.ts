import { useEffect, useEffectEvent } from 'react'
import { createWedge } from './wedge.ts'

const FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable=true]'

/** The registered listeners, newest last. A dialog above a page gets the codes instead of the page. */
const listeners: symbol[] = []

/** Listens for codes from a keyboard scanner, outside text fields. Only the newest listener gets them. */
export function useWedge(onCode: (code: string) => void): void {
  const handleCode = useEffectEvent(onCode)
  useEffect(() => {
    const wedge = createWedge()
    const self = Symbol('listener')
    listeners.push(self)
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.target instanceof Element && event.target.closest(FIELDS)) return
      const code = wedge.press(event.key, event.timeStamp)
      if (code === null || listeners.at(-1) !== self) return
      // The scanner's Enter would otherwise press the focused button.
      event.preventDefault()
      event.stopPropagation()
      handleCode(code)
    }
    addEventListener('keydown', handleKey, { capture: true })
    return () => {
      listeners.splice(listeners.indexOf(self), 1)
      removeEventListener('keydown', handleKey, { capture: true })
    }
  }, [])
}

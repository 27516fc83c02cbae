import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { createPortal } from 'react-dom'

const DockContext = createContext<HTMLElement | null>(null)

/**
 * An area at the bottom of the window for all elements that float over the page. Its parts are side by side,
 * or stacked if there is no room, and never overlap. The page keeps this space free (`data-dock`). Its height is the
 * CSS variable `--dock-height` of the page.
 */
export function DockProvider({ children }: { children: ReactNode }) {
  const [dock, setDock] = useState<HTMLElement | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    setDock(element)
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--dock-height', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--dock-height')
      setDock(null)
    }
  }, [])
  return (
    <DockContext value={dock}>
      {children}
      <div
        ref={ref}
        data-dock
        className="pointer-events-none fixed inset-x-6 bottom-6 z-15 flex flex-wrap-reverse items-end gap-3 *:pointer-events-auto phone:inset-x-0 phone:bottom-[calc(76px+env(safe-area-inset-bottom))] phone:flex-col phone:flex-nowrap phone:items-stretch"
      />
    </DockContext>
  )
}

/** Shows its children in the dock, wherever it is rendered. */
export function InDock({ children }: { children: ReactNode }) {
  const dock = useContext(DockContext)
  return dock ? createPortal(children, dock) : null
}

import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'

const DockContext = createContext<HTMLElement | null>(null)

/**
 * A place at the lower edge of the window for what floats over every room: side by side, above each other where there
 * is no room for that, and never one over the other. The page below keeps free what the dock takes (`data-dock`).
 */
export function DockProvider({ children }: { children: ReactNode }) {
  const [dock, setDock] = useState<HTMLElement | null>(null)
  return (
    <DockContext value={dock}>
      {children}
      <div
        ref={setDock}
        data-dock
        className="pointer-events-none fixed inset-x-6 bottom-6 z-15 flex flex-wrap-reverse items-end gap-3 *:pointer-events-auto phone:inset-x-0 phone:bottom-[calc(76px+env(safe-area-inset-bottom))] phone:flex-col phone:flex-nowrap phone:items-stretch"
      />
    </DockContext>
  )
}

/** Shows its children in the dock, wherever it stands itself. */
export function InDock({ children }: { children: ReactNode }) {
  const dock = useContext(DockContext)
  return dock ? createPortal(children, dock) : null
}

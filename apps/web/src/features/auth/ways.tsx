import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { cx } from '@/lib/class-names.ts'

/** Where else to go from a card of the sign-in, below its button. */
export const Ways = ({ children }: { children: ReactNode }) => (
  <div className="-mx-[9px] -mb-2 flex flex-wrap justify-between gap-x-2">{children}</div>
)

interface WayProps {
  /** Keeps its place while it is not known whether it is offered. */
  isHidden?: boolean
  onSelect: () => void
  children: ReactNode
}

export const Way = ({ isHidden = false, onSelect, children }: WayProps) => (
  <Button
    variant="ghost"
    size="sm"
    className={cx('underline! decoration-line-2 underline-offset-3', isHidden && 'invisible')}
    onClick={onSelect}
  >
    {children}
  </Button>
)

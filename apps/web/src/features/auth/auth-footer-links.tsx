import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { cx } from '@/lib/class-names.ts'

/** Links to other screens below the button of a sign-in card. */
export const Ways = ({ children }: { children: ReactNode }) => (
  <div className="-mx-[9px] -mb-2 flex flex-wrap justify-between gap-x-2">{children}</div>
)

interface WayProps {
  /** True to hide the link but keep its space, while it is unknown whether the server offers it. */
  isHidden?: boolean
  onSelect: () => void
  children: ReactNode
}

const LOOK = { variant: 'ghost', size: 'sm' } as const
const LINE = 'underline! decoration-line-2 underline-offset-3'

export const Way = ({ isHidden = false, onSelect, children }: WayProps) => (
  <Button {...LOOK} className={cx(LINE, isHidden && 'invisible')} onClick={onSelect}>
    {children}
  </Button>
)

/** A link to another screen. */
export const WayLink = ({ to, children }: { to: To; children: ReactNode }) => (
  <Link to={to} className={cx(buttonClass(LOOK), LINE)}>
    {children}
  </Link>
)

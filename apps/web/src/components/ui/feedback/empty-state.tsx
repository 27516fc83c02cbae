import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface EmptyStateProps {
  /** An icon or a picture, on a blank plinth. */
  icon: ReactNode
  title: ReactNode
  /** Text about the purpose of the list, or about the filter that excludes everything. */
  children?: ReactNode
  /** The buttons for the first step. Leave them out for people without permission. */
  actions?: ReactNode
  /** Level of the heading: 1 if it is the page's own heading, 2 right below that heading, 3 inside a titled card. */
  titleLevel?: 1 | 2 | 3
  className?: string
}

export function EmptyState({ icon, title, children, actions, titleLevel = 3, className }: EmptyStateProps) {
  const Title = `h${titleLevel}` as const
  return (
    <div className={cx('flex items-center gap-4 phone:flex-col phone:items-start', className)}>
      <div className="grid size-24 shrink-0 place-items-center overflow-hidden rounded-control bg-sunken text-ink">
        {icon}
      </div>
      <div className="min-w-0">
        <Title className="text-[0.9375rem] leading-5 font-semibold">{title}</Title>
        {children ? <div className="mt-0.5 max-w-[60ch] text-ink-2 wrap-anywhere">{children}</div> : null}
        {actions ? <div className="mt-2.5 flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
    </div>
  )
}

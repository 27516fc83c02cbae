import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface CardProps {
  /** Names the section. Shown in a head with a thin line below it. */
  title?: ReactNode
  /** Shown at the right end of the head. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A surface with a thin border. Never put a card into a card. */
export function Card({ title, aside, className, children }: CardProps) {
  return (
    <section className={cx('min-w-0 rounded-card border border-line bg-surface', className)}>
      {title ? (
        <div className="flex min-h-11 items-center gap-2 border-b border-line px-4 py-1">
          <h2 className="text-body font-semibold tracking-[-0.005em]">{title}</h2>
          {aside ? <div className="ms-auto text-label text-ink-3">{aside}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  )
}

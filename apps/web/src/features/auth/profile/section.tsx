import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  intro?: ReactNode
  children: ReactNode
}

/** A part of a tab with a heading of its own. */
export const Section = ({ title, intro, children }: SectionProps) => (
  <section className="flex flex-col gap-3 not-first:border-t not-first:border-line not-first:pt-5">
    <div>
      <h3 className="font-semibold tracking-[-0.005em]">{title}</h3>
      {intro ? <p className="mt-0.5 text-ink-2">{intro}</p> : null}
    </div>
    {children}
  </section>
)

import type { ReactNode } from 'react'

interface EntityOverviewProps {
  /** The picture, which fills its area: `className="size-full"`. */
  picture: ReactNode
  /** The state and the facts. */
  children: ReactNode
}

/** The first card of an entity's page: its picture large on the left, and its state and facts beside it. */
export const EntityOverview = ({ picture, children }: EntityOverviewProps) => (
  <section className="mb-4 grid overflow-hidden rounded-card border border-line bg-surface phone:mb-3 md:grid-cols-[minmax(0,38%)_minmax(0,1fr)] xl:grid-cols-[400px_minmax(0,1fr)]">
    <div className="grid max-md:h-56 md:min-h-80">{picture}</div>
    <div className="min-w-0">{children}</div>
  </section>
)

interface OverviewStateProps {
  /** The label's code. */
  code: string
  /** The largest figure of the card. */
  figure: ReactNode
  /** What the figure means now, in words and with a bar. */
  children: ReactNode
}

/** The state of an entity, above its facts. */
export const OverviewState = ({ code, figure, children }: OverviewStateProps) => (
  <div className="border-b border-line px-4 pt-4 pb-3.5">
    <p className="text-caption text-ink-3 code">{code}</p>
    <p className="text-figure font-[580]">{figure}</p>
    <div className="max-w-[60ch] text-ink-2">{children}</div>
  </div>
)

/** Cards below the overview: side by side, or one below the other where there is one, or little room. */
export const EntityCards = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 phone:gap-3 lg:grid-cols-2 lg:[&>:only-child]:col-span-2">
    {children}
  </div>
)

import type { ReactNode } from 'react'

interface EntityOverviewProps {
  /** The picture, which must fill its area: `className="size-full"`. */
  picture: ReactNode
  /** The entity's state and details. */
  children: ReactNode
}

/** The first card of an entity's page. A large picture is on the left, with state and details beside it. */
export const EntityOverview = ({ picture, children }: EntityOverviewProps) => (
  <section className="mb-4 grid overflow-hidden rounded-card border border-line bg-surface phone:mb-3 md:grid-cols-[minmax(0,38%)_minmax(0,1fr)] xl:grid-cols-[400px_minmax(0,1fr)]">
    <div className="grid max-md:h-56 md:min-h-80">{picture}</div>
    <div className="min-w-0">{children}</div>
  </section>
)

interface OverviewStateProps {
  /** The code on the entity's label. */
  code: string
  /** The most important figure of the card. */
  figure: ReactNode
  /** Explains the figure, with text and a bar. */
  children: ReactNode
}

/** The state of an entity, above its details. */
export const OverviewState = ({ code, figure, children }: OverviewStateProps) => (
  <div className="border-b border-line px-4 pt-4 pb-3.5">
    <p className="text-caption text-ink-3 code">{code}</p>
    <p className="text-figure font-[580]">{figure}</p>
    <div className="max-w-[60ch] text-ink-2">{children}</div>
  </div>
)

/** The cards below the overview. They are side by side, or stacked if there is little room or only one card. */
export const EntityCards = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 phone:gap-3 lg:grid-cols-2 lg:[&>:only-child]:col-span-2">
    {children}
  </div>
)

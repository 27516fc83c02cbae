import type { ReactNode } from 'react'

/** Names on the left, figures on the right. */
export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className="px-4 pt-1.5 pb-2.5">{children}</dl>
)

interface FactProps {
  name: string
  children: ReactNode
  /** Unit or remark after the figure. */
  unit?: ReactNode
}

export const Fact = ({ name, children, unit }: FactProps) => (
  <div className="flex justify-between gap-3 py-1 has-[button]:items-center">
    <dt className="shrink-0 text-ink-2">{name}</dt>
    <dd className="min-w-0 text-right font-[550] wrap-anywhere">
      {children}
      {unit ? <span className="font-normal text-ink-3"> {unit}</span> : null}
    </dd>
  </div>
)

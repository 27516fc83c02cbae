import type { ReactNode } from 'react'

/** Properties of an entity: names on the left, values on the right. Takes Property elements. */
export const PropertyList = ({ children }: { children: ReactNode }) => (
  <dl className="px-4 pt-1.5 pb-2.5">{children}</dl>
)

interface PropertyProps {
  name: string
  children: ReactNode
  /** Unit or remark after the value. */
  unit?: ReactNode
}

export const Property = ({ name, children, unit }: PropertyProps) => (
  <div className="flex justify-between gap-3 py-1 has-[button]:items-center">
    <dt className="shrink-0 text-ink-2">{name}</dt>
    <dd className="min-w-0 text-right font-[550] wrap-anywhere">
      {children}
      {unit ? <span className="font-normal text-ink-3"> {unit}</span> : null}
    </dd>
  </div>
)

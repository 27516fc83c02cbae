import type { ReactNode } from 'react'

interface DetailListProps {
  /** True if a wide card shows two columns. */
  isWide?: boolean
  children: ReactNode
}

/** Lists the details of an entity, with names on the left and values next to them. Takes Detail elements. */
export const DetailList = ({ isWide = false, children }: DetailListProps) => (
  <dl
    className={
      isWide
        ? '-mt-px grid gap-x-8 px-4 pb-1.5 *:border-t *:border-line xl:grid-cols-2'
        : 'divide-y divide-line px-4'
    }
  >
    {children}
  </dl>
)

/** One detail. It is hidden while its value is unknown (null or an empty string). */
export const Detail = ({ name, children }: { name: string; children: ReactNode }) =>
  children ? (
    <div className="flex gap-4 py-2">
      <dt className="w-28 shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">
        {typeof children === 'string' ? <bdi className="whitespace-pre-line">{children}</bdi> : children}
      </dd>
    </div>
  ) : null

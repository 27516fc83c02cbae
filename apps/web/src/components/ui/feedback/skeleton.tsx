import { cx } from '@/lib/class-names.ts'

/** A gray bar in the size of the content that will replace it. Announce the wait once, with SkeletonGroup. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('block shimmer rounded-[3px]', className)} aria-hidden />
}

/** Stacked gray bars beside a picture, as placeholders for lines of text. Each bar has its size as a class. */
export const SkeletonText = ({ bars }: { bars: readonly string[] }) => (
  <div className="flex-1">
    {bars.map((bar) => (
      <Skeleton key={bar} className={bar} />
    ))}
  </div>
)

/** Announces loading to screen readers. */
export function SkeletonGroup({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <div role="status" aria-busy className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}

interface SkeletonRowsProps {
  label: string
  count: number
  className?: string
  rowClass: string
  /** The gray bars of one row. */
  children: React.ReactNode
}

/** Placeholder for a list that is loading, with `count` equal rows. */
export const SkeletonRows = ({ label, count, className, rowClass, children }: SkeletonRowsProps) => (
  <SkeletonGroup label={label} {...(className && { className })}>
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className={rowClass}>
        {children}
      </div>
    ))}
  </SkeletonGroup>
)

/**
 * Placeholder for a list that is loading, made of gray bars. By default there are three, as high as a row of a card.
 */
export function SkeletonLines({
  label,
  count = 3,
  className = 'flex flex-col gap-4 p-4',
  lineClass = 'h-9',
}: {
  label: string
  count?: number
  className?: string
  /** Size of a bar, as a class. */
  lineClass?: string
}) {
  return (
    <SkeletonGroup label={label} className={className}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={lineClass} />
      ))}
    </SkeletonGroup>
  )
}

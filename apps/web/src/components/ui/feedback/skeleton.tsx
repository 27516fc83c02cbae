import { cx } from '@/lib/class-names.ts'

/** A grey bar in the shape of what comes: give it the size of that. Announce the wait once, with SkeletonGroup. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('block shimmer rounded-[3px]', className)} aria-hidden />
}

/** Says that something is loading, for people who cannot see the grey shapes inside. */
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

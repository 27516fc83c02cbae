import { cx } from '@/lib/class-names.ts'

/** A grey bar with the size of the content to come. Announce the wait once, with SkeletonGroup. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('block shimmer rounded-[3px]', className)} aria-hidden />
}

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

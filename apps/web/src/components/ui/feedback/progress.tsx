import { cx } from '@/lib/class-names.ts'

interface ProgressProps {
  /** Names the work in progress. It is read out. */
  label: string
  value: number
  max?: number
  className?: string
}

/** Shows progress toward a known total, such as bytes, pieces or seconds. */
export function Progress({ label, value, max = 1, className }: ProgressProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className={cx('h-1 overflow-hidden rounded-[2px] bg-line', className)}
    >
      <div
        className="h-full origin-left bg-accent transition-transform duration-180 ease-linear"
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  )
}

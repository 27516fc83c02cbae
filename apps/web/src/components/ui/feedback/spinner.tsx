import { LoaderCircle } from 'lucide-react'
import { cx } from '@/lib/class-names.ts'

/** Shown while the shape and the length of a wait are unknown. Otherwise use Skeleton or Progress. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle size={size} strokeWidth={1.75} className={cx('animate-spin', className)} aria-hidden />
}

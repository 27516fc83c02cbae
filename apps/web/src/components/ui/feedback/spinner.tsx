import { LoaderCircle } from 'lucide-react'
import { cx } from '@/lib/class-names.ts'

/** For waits without a shape or a number; where either is known, use Skeleton or Progress. */
export function Spinner({ size = 16, className }: { size?: number; className?: string }) {
  return <LoaderCircle size={size} strokeWidth={1.75} className={cx('animate-spin', className)} aria-hidden />
}

import { cx } from '@/lib/class-names.ts'
import { nameOfAddress } from './product-media-files.ts'

/**
 * Shows the name of a file. All names of a product's files start with the slug, so a long name is cut at its
 * start.
 */
export const MediaName = ({ address, className }: { address: string; className?: string }) => {
  const name = nameOfAddress(address)
  return (
    <p dir="rtl" title={name} className={cx('truncate text-start text-caption text-ink-3', className)}>
      <bdi>{name}</bdi>
    </p>
  )
}

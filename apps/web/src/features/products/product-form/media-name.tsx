import { cx } from '@/lib/class-names.ts'
import { nameOfAddress } from './product-media-files.ts'

/** Shows the name of a file. The names of a product's files start the same, so a long name is cut at its beginning. */
export const MediaName = ({ address, className }: { address: string; className?: string }) => {
  const name = nameOfAddress(address)
  return (
    <p dir="rtl" title={name} className={cx('truncate text-left text-caption text-ink-3', className)}>
      <bdi>{name}</bdi>
    </p>
  )
}

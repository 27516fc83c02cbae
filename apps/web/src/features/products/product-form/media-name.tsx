import { cx } from '@/lib/class-names.ts'
import { nameOfAddress } from './product-media-files.ts'

/** What a file is called. All files of a product begin alike, so a name that is too long is cut there. */
export const MediaName = ({ address, className }: { address: string; className?: string }) => {
  const name = nameOfAddress(address)
  return (
    <p dir="rtl" title={name} className={cx('truncate text-left text-caption text-ink-3', className)}>
      <bdi>{name}</bdi>
    </p>
  )
}

import type { Order } from '@pegasus/contracts/orders/orders'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'

const SHOWN = 2

interface OrderPicturesProps {
  order: Order
  /** Size of one picture, as a class: `size-10`. */
  size: string
  max?: number
}

/** Shows pictures of the ordered models, or a placeholder if no picture is known. */
export function OrderPictures({ order, size, max = SHOWN }: OrderPicturesProps) {
  const shown = picturesOf(order).slice(0, max)
  return (
    <span className="flex shrink-0" aria-hidden>
      {shown.length === 0 ? <PartPicture src={null} className={size} /> : null}
      {shown.map(({ key, src, tint }, index) => (
        <PartPicture
          key={key}
          src={src}
          tint={tint}
          className={cx(size, index > 0 && '-ms-2.5 shadow-[0_0_0_2px_var(--surface)]')}
        />
      ))}
    </span>
  )
}

/** Returns each picture once. The same part in two colors has two pictures. */
function picturesOf({ items }: Order) {
  const pictures = items.map(({ stl_thumbnail_path: src, color_hex: tint }) => ({
    key: `${src} ${tint}`,
    src,
    tint,
  }))
  return [...new Map(pictures.map((picture) => [picture.key, picture])).values()].filter(
    ({ src }) => src !== null,
  )
}

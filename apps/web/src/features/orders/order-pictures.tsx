import type { Order } from '@pegasus/contracts/orders'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'

const SHOWN = 2

interface OrderPicturesProps {
  order: Order
  /** Of one picture: `size-10`. */
  size: string
  max?: number
}

/** What was bought, as far as it is made of models; a blank part where none is known. */
export function OrderPictures({ order, size, max = SHOWN }: OrderPicturesProps) {
  const pictures = order.items
    .map(({ stl_thumbnail_path }) => stl_thumbnail_path)
    .filter((path) => path !== null)
  const shown = [...new Set(pictures)].slice(0, max)
  return (
    <span className="flex shrink-0" aria-hidden>
      {shown.length === 0 ? <PartPicture src={null} className={size} /> : null}
      {shown.map((path, index) => (
        <PartPicture
          key={path}
          src={path}
          className={cx(size, index > 0 && '-ml-2.5 shadow-[0_0_0_2px_var(--surface)]')}
        />
      ))}
    </span>
  )
}

import { useQuery } from '@tanstack/react-query'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { LOW_SHOWN, lowItemsQuery } from '../inventory.queries.ts'

/** Shows pictures of the first low items, and the number of the others. */
export function LowStockItems({ total }: { total: number }) {
  const { data } = useQuery(lowItemsQuery(LOW_SHOWN))
  const items = data?.items ?? []
  return (
    <span className="hidden items-center @min-[158px]:flex" aria-hidden>
      {items.map(({ id, name, stl_thumbnail_path, color_hex }) => (
        <span
          key={id}
          title={name}
          className="-ms-2 rounded-[5px] ring-2 ring-surface first:ms-0 [a:hover_&]:ring-hover"
        >
          <PartPicture src={stl_thumbnail_path} tint={color_hex} className="block size-[30px]" />
        </span>
      ))}
      {total > items.length && items.length > 0 ? (
        <span className="ms-2 text-caption text-ink-3">+{formatCount(total - items.length)}</span>
      ) : null}
    </span>
  )
}

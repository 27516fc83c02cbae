import type { OrderLine, SetPart } from '@pegasus/contracts/orders/orders'
import type { ReactNode } from 'react'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { WindowedRows } from './windowed-rows.tsx'
import { t } from '@/lib/i18n/messages.ts'

export interface CountedLine {
  line: OrderLine | SetPart
  /** The largest number that can be entered. */
  most: number
  /** A remark about the line: `3 reserved, 2 in stock` */
  note?: ReactNode
}

interface LineCountsProps {
  lines: readonly CountedLine[]
  /** The entered number of each line, by the line's id. */
  counts: Readonly<Record<string, string>>
  onChange: (counts: Record<string, string>) => void
}

const titleOf = ({ name, sku }: OrderLine | SetPart): string => name || sku || t('Without a name')

/** Converts the entered counts for the API. Null if a count is not a whole number from 0 to its maximum. */
export function readCounts(
  lines: readonly CountedLine[],
  counts: Readonly<Record<string, string>>,
): { line_id: string; quantity: number }[] | null {
  const read = lines.map(({ line, most }) => ({
    line_id: line.id,
    quantity: typedNumber(counts[line.id] ?? '') ?? 0,
    most,
  }))
  if (read.some(({ quantity, most }) => !Number.isInteger(quantity) || quantity < 0 || quantity > most))
    return null
  return read.filter(({ quantity }) => quantity > 0).map(({ line_id, quantity }) => ({ line_id, quantity }))
}

/** Lists the lines of an order, each with a field for a number. */
export const LineCounts = ({ lines, counts, onChange }: LineCountsProps) => (
  <WindowedRows
    rows={lines}
    keyOf={({ line }) => line.id}
    estimatedHeight={61}
    className="rounded-card border border-line"
  >
    {({ line, most, note }) => (
      <div className="flex items-center gap-3 px-3 py-2">
        <PartPicture src={line.stl_thumbnail_path} tint={line.color_hex} className="size-11" />
        <span className="min-w-0 flex-1">
          <bdi className="line-clamp-2 font-medium" title={titleOf(line)}>
            {titleOf(line)}
          </bdi>
          {note ? <span className="block text-caption text-ink-3">{note}</span> : null}
        </span>
        <span className="flex w-32 shrink-0 items-center gap-2">
          <Input
            aria-label={t('Pieces of {titleOf}', { titleOf: titleOf(line) })}
            inputMode="numeric"
            autoComplete="off"
            value={counts[line.id] ?? ''}
            onChange={({ target }) => onChange({ ...counts, [line.id]: target.value })}
          />
          <span className="shrink-0 text-label text-ink-3">
            {t('of {most}', { most: formatCount(most) })}
          </span>
        </span>
      </div>
    )}
  </WindowedRows>
)

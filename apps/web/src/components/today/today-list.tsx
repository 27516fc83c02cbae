import {
  Boxes,
  CloudAlert,
  Layers,
  type LucideIcon,
  Printer,
  ReceiptText,
  ScanBarcode,
  Spool,
  UserRound,
} from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { cx } from '@/lib/class-names.ts'
import { buttonClass } from '../ui/actions/button.tsx'
import type { TodayKind, TodayRow } from './today-rows.ts'

const ICONS: Readonly<Record<TodayKind, LucideIcon>> = {
  printer: Printer,
  job: Layers,
  order: ReceiptText,
  sku: ScanBarcode,
  product: CloudAlert,
  stock: Boxes,
  filament: Spool,
  account: UserRound,
}

/** Padding above and below the rows, in pixels. */
const PADDING = 4

/** Number of rows that a phone shows without scrolling. */
const PHONE_ROWS = 4

/**
 * The classes of a list in columns. It is as high as four whole rows and its padding. On a phone, where the rows have
 * different heights, these four are measured.
 */
export const TODAY_GRID =
  'grid max-h-[12.5rem] phone:max-h-[var(--whole-rows,14.5rem)] touch:max-h-[14.5rem] grid-cols-[minmax(0,1fr)] overflow-y-auto py-1 md:grid-cols-2 xl:grid-cols-3'

/**
 * Classes of one line in a row. On a phone, a long text continues on further lines, because the row has no room for it
 * beside the button.
 */
const LINE = 'block truncate phone:whitespace-normal phone:wrap-anywhere'

interface TodayListProps {
  label: string
  rows: readonly TodayRow[]
  /** Called when a link is followed, to close the surrounding dialog. */
  onLeave?: () => void
  className?: string
}

/** Lists everything that needs a person's attention now, each with its next step. */
export function TodayList({ label, rows, onLeave, className = '' }: TodayListProps) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => (list.current ? measureRows(list.current) : undefined), [rows])
  return (
    <ul ref={list} aria-label={label} className={className}>
      {rows.map((row) => (
        <Row key={`${row.kind} ${row.id}`} row={row} onLeave={onLeave} />
      ))}
    </ul>
  )
}

/**
 * Keeps the CSS variable `--whole-rows` of the list equal to the height of its first rows plus its padding. Returns a
 * function that stops this.
 */
function measureRows(list: HTMLUListElement): () => void {
  const rows = [...list.children].slice(0, PHONE_ROWS)
  const observer = new ResizeObserver(() => {
    const heights = rows.map((row) => row.getBoundingClientRect().height)
    const height = heights.reduce((sum, each) => sum + each, 2 * PADDING)
    list.style.setProperty('--whole-rows', `${height}px`)
  })
  for (const row of rows) observer.observe(row)
  return () => observer.disconnect()
}

function Row({ row, onLeave }: { row: TodayRow; onLeave: (() => void) | undefined }) {
  const { kind, title, detail, to, action, isUrgent } = row
  const Icon = ICONS[kind]
  return (
    <li className="relative flex min-h-12 phone:min-h-14 touch:min-h-14 items-center gap-3 px-4 py-1.5 hover:bg-hover">
      <Icon
        size={16}
        strokeWidth={1.75}
        className={cx('shrink-0', isUrgent ? 'text-red-ink' : 'text-ink-3')}
        aria-hidden
      />
      <p className="min-w-0 flex-1">
        <Link
          to={to}
          onClick={onLeave}
          className="block font-medium after:absolute after:inset-0 hover:underline"
          title={title}
        >
          <bdi className={`${LINE} phone:line-clamp-3`}>{title}</bdi>
        </Link>
        {detail ? (
          <span className={cx('block text-caption', isUrgent ? 'text-red-ink' : 'text-ink-3')}>
            <bdi className={`${LINE} phone:line-clamp-2`}>{detail}</bdi>
          </span>
        ) : null}
      </p>
      {action ? (
        <Link
          to={action.to}
          onClick={onLeave}
          aria-label={`${action.label}: ${title}`}
          className={`${buttonClass({ size: 'sm' })} relative z-1`}
        >
          {action.label}
        </Link>
      ) : null}
    </li>
  )
}

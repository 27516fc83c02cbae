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

/** The classes of a list in columns. It is as high as four whole rows and its padding. */
export const TODAY_GRID =
  'grid max-h-[12.5rem] phone:max-h-[14.5rem] touch:max-h-[14.5rem] grid-cols-[minmax(0,1fr)] overflow-y-auto py-1 md:grid-cols-2 xl:grid-cols-3'

interface TodayListProps {
  label: string
  rows: readonly TodayRow[]
  /** Called when a link is followed, to close the surrounding dialog. */
  onLeave?: () => void
  className?: string
}

/** Lists everything that needs a person's attention now, each with its next step. */
export const TodayList = ({ label, rows, onLeave, className = '' }: TodayListProps) => (
  <ul aria-label={label} className={className}>
    {rows.map((row) => (
      <Row key={`${row.kind} ${row.id}`} row={row} onLeave={onLeave} />
    ))}
  </ul>
)

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
          className="block truncate font-medium after:absolute after:inset-0 hover:underline"
          title={title}
        >
          <bdi>{title}</bdi>
        </Link>
        {detail ? (
          <span className={cx('block truncate text-caption', isUrgent ? 'text-red-ink' : 'text-ink-3')}>
            <bdi>{detail}</bdi>
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

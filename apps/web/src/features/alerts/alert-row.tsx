import {
  ALERT_KIND_NAMES,
  alertAddress,
  alertSentence,
  isTitleText,
} from '@pegasus/contracts/alerts/alert-texts'
import { type Alert, type AlertKind } from '@pegasus/contracts/alerts/alerts'
import {
  Ban,
  Bell,
  Boxes,
  CalendarClock,
  Check,
  CloudAlert,
  DatabaseBackup,
  FileWarning,
  type LucideIcon,
  PackageCheck,
  Printer,
  PrinterCheck,
  ReceiptText,
  Spool,
  TriangleAlert,
} from 'lucide-react'
import { type MouseEvent } from 'react'
import { Link } from 'react-router'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { formatAgo, formatDateTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const ICONS: Readonly<Record<AlertKind, LucideIcon>> = {
  low_stock: Boxes,
  low_filament: Spool,
  filament_short: Spool,
  job_finished: PrinterCheck,
  job_failed: Printer,
  printer_error: TriangleAlert,
  publication_failed: CloudAlert,
  new_order: ReceiptText,
  order_overdue: CalendarClock,
  order_shipped: PackageCheck,
  order_cancelled: Ban,
  order_refused: FileWarning,
  backup_failed: DatabaseBackup,
}

/** The texts of an alert. A page that was opened before an update may lack the texts for a new kind. */
function textsOf(alert: Alert) {
  if (!Object.hasOwn(ICONS, alert.kind))
    return {
      Icon: Bell,
      name: t('New alert'),
      title: alert.title,
      sentence: t('Reload the page to see this alert.'),
      address: '/',
    }
  return {
    Icon: ICONS[alert.kind],
    name: serverText(ALERT_KIND_NAMES[alert.kind]),
    title: isTitleText(alert) ? serverText(alert.title) : alert.title,
    sentence: serverText(alertSentence(alert)),
    address: alertAddress(alert),
  }
}

interface AlertRowProps {
  alert: Alert
  onRead: () => void
  /** Called when the link is followed, because that leaves the inbox. */
  onLeave: () => void
}

/** Moves the focus to the link beside the button, because the button disappears when it is clicked. */
const focusLink = ({ currentTarget }: MouseEvent<HTMLElement>): void =>
  currentTarget.closest('li')?.querySelector('a')?.focus()

export function AlertRow({ alert, onRead, onLeave }: AlertRowProps) {
  const nowMs = useNow()
  const { Icon, name, title, sentence, address } = textsOf(alert)
  const isUnread = alert.read_at === null
  return (
    <li className="flex items-start gap-3 py-2.5">
      <Icon size={18} strokeWidth={1.6} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
      <div className="min-w-0 flex-1">
        <Link
          to={address}
          onClick={() => {
            if (isUnread) onRead()
            onLeave()
          }}
          className="block hover:underline phone:py-1"
        >
          {isUnread ? <span className="sr-only">{t('Unread:')} </span> : null}
          <span className={isUnread ? 'font-semibold' : 'text-ink-2'}>
            {name}: <bdi className="wrap-anywhere">{title}</bdi>
          </span>
        </Link>
        <p className="text-label text-ink-2 wrap-anywhere">{sentence}</p>
        <time
          dateTime={alert.created_at}
          title={formatDateTime(alert.created_at)}
          className="text-caption text-ink-3"
        >
          {formatAgo(alert.created_at, nowMs)}
        </time>
      </div>
      {isUnread ? (
        <IconButton
          label={t('Mark {title} as read', { title })}
          size="sm"
          onClick={(event) => {
            focusLink(event)
            onRead()
          }}
        >
          <Check size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      ) : null}
    </li>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Tooltip } from '@/components/ui/overlays/tooltip.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { unreadQuery } from './alerts.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The largest number that fits on the bell. */
const MOST_SHOWN = 99

/** The bell. It shows the number of unread alerts, and opens the inbox. */
export function AlertsButton({ onOpen }: { onOpen: () => void }) {
  const { data } = useQuery(unreadQuery)
  const unread = data?.unread ?? 0
  const label = unread > 0 ? t('Alerts, {unread} unread', { unread: formatCount(unread) }) : t('Alerts')
  return (
    <Tooltip text={label}>
      <IconButton label={label} title="" onClick={onOpen} className="relative">
        <Bell size={18} strokeWidth={1.6} aria-hidden />
        {unread > 0 ? (
          <span
            aria-hidden
            className="absolute -top-0.5 -end-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[0.625rem] leading-none font-semibold text-on-accent phone:top-1 phone:end-1 touch:top-1 touch:end-1"
          >
            {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
          </span>
        ) : null}
      </IconButton>
    </Tooltip>
  )
}

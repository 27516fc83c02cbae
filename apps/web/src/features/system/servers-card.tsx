import type { ServerProcess, ServerRole } from '@pegasus/contracts/system'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

const WORK: Record<ServerRole, string> = {
  all: t('Requests and background work'),
  web: t('Requests only'),
  jobs: t('Background work only'),
}

/** Shows all running servers of the installation, and warns if none of them does the background work. */
export function ServersCard({ servers }: { servers: readonly ServerProcess[] }) {
  const isWorkDone = servers.some(({ role }) => role !== 'web')
  return (
    <Card title={t('Servers')}>
      {isWorkDone ? null : (
        <AlertBox className="mx-4 mt-3" title={t('No server does the background work.')}>
          {t('Files are not analyzed, and nothing is published. Start a server with SERVER_ROLE=jobs.')}
        </AlertBox>
      )}
      <ul aria-label={t('Servers')} className="divide-y divide-line">
        {servers.map(({ id, host, role, version, store, started_at: startedAt }) => (
          <li key={id} className="flex flex-col gap-0.5 px-4 py-2.5">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span className="min-w-0 flex-1 truncate font-medium">{host}</span>
              <span className="text-ink-2">{WORK[role]}</span>
            </span>
            <span className="text-label text-ink-3">
              {t('Version {version}, running since {time}', { version, time: formatDateTime(startedAt) })}
            </span>
            <span className="text-label break-all text-ink-3">{t('Files: {store}', { store })}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

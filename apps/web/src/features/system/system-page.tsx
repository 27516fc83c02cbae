import type { SystemStatus, TaskQueue } from '@pegasus/contracts/system'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { DemoOffer } from '@/components/demo/demo-offer.tsx'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { formatBytes } from '@/lib/format/bytes.ts'
import { formatCount, formatDateTime, formatPercent } from '@/lib/format/format.ts'
import { isDemo } from '@/lib/session/demo-visit.ts'
import { BackupsCard } from './backups-card.tsx'
import { ChannelsCard } from './channels/channels-card.tsx'
import { FailedTasksCard } from './failed-tasks-card.tsx'
import { PrintersCard, ShopsCard } from './printers-and-shops-cards.tsx'
import { ServersCard } from './servers-card.tsx'
import { SignInRulesCard } from './sign-in-rules-card.tsx'
import { SlowStatementsCard } from './slow-statements-card.tsx'
import { SystemNeedsCard } from './system-needs-card.tsx'
import { LITTLE_ROOM } from './system-needs.ts'
import { SupportBundleButton } from './support-bundle-button.tsx'
import { failedTasksQuery, printersAndShopsQuery, systemQuery } from './system.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const REFETCH_MS = 10_000

const SCANNER_LABELS: Readonly<Record<SystemStatus['malware_scanner'], ReactNode>> = {
  off: t('off'),
  ok: t('responds'),
  failed: (
    <StatusBadge status="failed" tone="red">
      {t('does not respond')}
    </StatusBadge>
  ),
}

/** The page about the installation: backups, versions, free space and background work. */
export function SystemPage() {
  const [search] = useSearchParams()
  const system = useQuery({ ...systemQuery, refetchInterval: REFETCH_MS })
  const failed = useQuery({ ...failedTasksQuery, refetchInterval: REFETCH_MS })
  const outside = useQuery({ ...printersAndShopsQuery, refetchInterval: REFETCH_MS })
  return (
    <>
      <h1 className="sr-only">{t('System')}</h1>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        <SystemNeedsCard />
        <QueryError query={failed} message={t('The failed tasks could not be loaded.')} />
        {failed.data && failed.data.tasks.length > 0 ? (
          <div id="failed-tasks">
            <FailedTasksCard tasks={failed.data.tasks} />
          </div>
        ) : null}
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <div id="backups">
            <BackupsCard />
          </div>
          <ChannelsCard />
          <QueryError query={outside} message={t('The state of printers and shops could not be loaded.')} />
          {outside.data ? (
            <>
              <PrintersCard printers={outside.data.printers} />
              <div id="shops">
                <ShopsCard shops={outside.data.shops} />
              </div>
            </>
          ) : null}
          <SlowStatementsCard />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <QueryError query={system} message={t('The state of the system could not be loaded.')} />
          {system.isPending ? (
            <Card className="p-4">
              <SkeletonLines
                label={t('Loading the system status')}
                count={6}
                className="flex flex-col gap-3"
              />
            </Card>
          ) : null}
          {system.data ? (
            <>
              <div id="server">
                <Facts system={system.data} />
              </div>
              <div id="servers">
                <ServersCard servers={system.data.servers} />
              </div>
              <Queues queues={system.data.queues} />
            </>
          ) : null}
          <SignInRulesCard />
          {isDemo ? null : (
            <Card title={t('Demo')}>
              <div className="p-4">
                <DemoOffer asksRemoval={search.has('remove-demo')} />
              </div>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

function Facts({ system }: { system: SystemStatus }) {
  const { database, storage, mail } = system
  return (
    <Card title={t('Server')} aside={<SupportBundleButton />}>
      <PropertyList>
        <Property name={t('Version')}>{system.version}</Property>
        <Property name={t('Node')}>{system.node_version}</Property>
        <Property name={t('Running since')}>{formatDateTime(system.started_at)}</Property>
        <Property name={t('Memory')}>{formatBytes(system.memory_bytes)}</Property>
        <Property name={t('Database')} unit={database.is_embedded ? t('embedded') : t('external')}>
          {t('PostgreSQL {version}', { version: database.version })}
        </Property>
        <Property name={t('Size of the database')}>{formatBytes(database.size_bytes)}</Property>
        <Property name={t('Connections')}>{formatCount(database.connections)}</Property>
        <Property name={t('Newest migration')}>{database.migration.replace(/\.sql$/, '')}</Property>
        <Property name={t('Files')}>
          {storage.kind === 'bucket' ? t('in a bucket') : t('in a folder')}
        </Property>
        <Property name={t('Free space')}>
          <Room {...storage} />
        </Property>
        <Property name={t('Malware scanner')}>{SCANNER_LABELS[system.malware_scanner]}</Property>
        <Property name={t('Email')}>
          {mail.delivery === 'smtp' ? t('sent by a mail server') : t('kept in the outbox')}
          {mail.unsent > 0 ? (
            <>
              {', '}
              <Link to="/?tab=people&view=outbox" className="link">
                {t('{unsent, plural, one {# email} other {# emails}} unsent', { unsent: mail.unsent })}
              </Link>
            </>
          ) : null}
        </Property>
      </PropertyList>
    </Card>
  )
}

function Room({ free_bytes: free, total_bytes: total }: SystemStatus['storage']): ReactNode {
  if (free === null || total === null || total === 0) return t('unknown')
  const share = free / total
  return (
    <>
      {t('{free} of {total}', { free: formatBytes(free), total: formatBytes(total) })}{' '}
      {share < LITTLE_ROOM ? (
        <StatusBadge status="low" tone="yellow">
          {t('{share} free', { share: formatPercent(share) })}
        </StatusBadge>
      ) : null}
    </>
  )
}

/** Shows background work by kind. Idle kinds are only counted. */
function Queues({ queues }: { queues: readonly TaskQueue[] }) {
  const busy = queues.filter(({ waiting, running, failed }) => waiting + running + failed > 0)
  const idle = queues.length - busy.length
  return (
    <Card title={t('Background work')}>
      {busy.length > 0 ? (
        <ul aria-label={t('Background work')} className="divide-y divide-line">
          {busy.map(({ name, waiting, running, failed }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <code className="min-w-0 flex-1 truncate">{name}</code>
              {waiting > 0 ? (
                <span className="text-ink-2">
                  {t('{waiting} waiting', { waiting: formatCount(waiting) })}
                </span>
              ) : null}
              {running > 0 ? (
                <StatusBadge status="running" tone="blue">
                  {t('{running} running', { running: formatCount(running) })}
                </StatusBadge>
              ) : null}
              {failed > 0 ? (
                <StatusBadge status="failed" tone="red">
                  {t('{failed} failed', { failed: formatCount(failed) })}
                </StatusBadge>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="px-4 py-3 text-label text-ink-3">
        {busy.length === 0
          ? t('No task is waiting, running or failed.')
          : t('{idle, plural, one {# kind} other {# kinds}} idle.', { idle })}
      </p>
    </Card>
  )
}

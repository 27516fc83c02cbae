import type { ApiKey, ApiKeyUsage } from '@pegasus/contracts/api-keys'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Skeleton, SkeletonRows } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { keyUsageQuery } from './api-keys.queries.ts'
import { KeySwitch } from './key-actions.tsx'
import { KeyPrefix, KeyScopes, KeyStatus } from './key-columns.tsx'
import { formatExpiry } from './key-details.ts'
import type { KeyActions } from './use-key-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

const USAGE_REFETCH_MS = 2000

interface KeyDetailsDialogProps {
  id: string | null
  actions: KeyActions
  onClose: () => void
  onDelete: (key: ApiKey) => void
}

export const KeyDetailsDialog = ({ id, ...rest }: KeyDetailsDialogProps) =>
  id ? <OpenDialog key={id} id={id} {...rest} /> : null

function OpenDialog({ id, actions, onClose, onDelete }: KeyDetailsDialogProps & { id: string }) {
  // People watch this dialog while they test a program, so the list of its calls polls.
  const usage = useQuery({ ...keyUsageQuery(id), refetchInterval: USAGE_REFETCH_MS })
  const { data, isError } = usage
  useEffect(() => {
    if (isError) toast({ title: t('Failed to fetch key details.') })
  }, [isError])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('API Key Details')}
      description={data ? <bdi>{data.label}</bdi> : undefined}
      footer={
        data ? (
          <>
            <Button variant="danger" onClick={() => onDelete(data)} className="me-auto">
              {t('Delete')}
            </Button>
            <Button isPending={actions.rotatingId === id} onClick={() => actions.rotate(data)}>
              {t('Rotate')}
            </Button>
            <Button variant="primary" onClick={onClose}>
              {t('Close')}
            </Button>
          </>
        ) : undefined
      }
    >
      <QueryError query={usage} message={t('The details could not be loaded.')} className="mb-4" />
      {data ? <Details usage={data} actions={actions} /> : isError ? null : <Loading />}
    </Dialog>
  )
}

function Details({ usage, actions }: { usage: ApiKeyUsage; actions: KeyActions }) {
  const nowMs = useNow()
  const used = usage.last_used ? formatDateTime(usage.last_used) : t('never')
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-[128px_1fr] items-center gap-y-2 [&>dt]:text-ink-2 [&>dd]:min-w-0 [&>dd]:font-medium">
        <dt>{t('Key')}</dt>
        <dd>
          <KeyPrefix apiKey={usage} />
        </dd>
        <dt>{t('Owner')}</dt>
        <dd>
          <bdi>{usage.username}</bdi>
        </dd>
        <dt>{t('Scope')}</dt>
        <dd>
          <KeyScopes scope={usage.scope} />
        </dd>
        <dt>{t('Status')}</dt>
        <dd className="flex items-center gap-3">
          <KeyStatus apiKey={usage} nowMs={nowMs} />
          <KeySwitch apiKey={usage} actions={actions} />
        </dd>
        <dt>{t('Usage')}</dt>
        <dd>{formatCount(usage.usage_count)}</dd>
        <dt>{t('Created')}</dt>
        <dd>{formatDateTime(usage.created_at)}</dd>
        <dt>{t('Last used')}</dt>
        <dd>
          {usage.last_used_ip
            ? t('{used} from {last_used_ip}', { used, last_used_ip: usage.last_used_ip })
            : used}
        </dd>
        <dt>{t('Expires')}</dt>
        <dd>{formatExpiry(usage, nowMs)}</dd>
        <dt>{t('Works from')}</dt>
        <dd className="wrap-anywhere">{usage.allowed_addresses?.join(', ') ?? t('everywhere')}</dd>
      </dl>
      <section>
        <h3 className="mb-1.5 font-semibold">{t('Allowed calls')}</h3>
        {usage.endpoints.length > 0 ? (
          <ul className="flex flex-col gap-1.5">
            {usage.endpoints.map(({ method, path, summary }) => (
              <li key={`${method} ${path}`}>
                <code className="text-label wrap-anywhere">
                  {method} {path}
                </code>
                <span className="block text-caption text-ink-3">{summary}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-ink-2">{t('None, because the owner lacks the permissions.')}</p>
        )}
      </section>
      <Calls calls={usage.calls} />
    </div>
  )
}

function Calls({ calls }: Pick<ApiKeyUsage, 'calls'>) {
  return (
    <section>
      <h3 className="mb-1.5 font-semibold">{t('Last calls')}</h3>
      {calls.length === 0 ? (
        <p className="text-ink-2">{t('None yet.')}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t('Last calls')}>
          <table className="w-full text-start text-label">
            <thead className="text-caption text-ink-3">
              <tr>
                {[t('When'), t('Call'), t('Response'), t('From')].map((head) => (
                  <th
                    key={head}
                    scope="col"
                    className={cx('py-1 pe-3 font-medium', head === t('When') && 'phone:hidden')}
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {calls.map(({ at, method, path, status, ip, request_id: requestId }) => (
                <tr
                  key={requestId}
                  title={t('Request {requestId}', { requestId })}
                  className="border-t border-line"
                >
                  <td className="py-1 pe-3 whitespace-nowrap phone:hidden">{formatDateTime(at)}</td>
                  <td className="max-w-60 py-1 pe-3">
                    <code className="wrap-anywhere">
                      {method} {path}
                    </code>
                    {/* On narrow screens the time has no column of its own, so it is shown here. */}
                    <span className="block text-caption text-ink-3 sm:hidden">{formatDateTime(at)}</span>
                  </td>
                  <td className={`py-1 pe-3 ${status >= 400 ? 'font-medium text-red-ink' : ''}`}>{status}</td>
                  <td className="py-1">{ip ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Loading = () => (
  <SkeletonRows label={t('Loading the details')} count={9} rowClass="flex h-7 items-center gap-8">
    <Skeleton className="h-3 w-20" />
    <Skeleton className="h-3 w-44" />
  </SkeletonRows>
)

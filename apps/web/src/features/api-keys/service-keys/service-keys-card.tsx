import type { IssuedServiceKey, ServiceKey } from '@pegasus/contracts/service-keys'
import { rotateServiceKey } from '@pegasus/contracts/service-keys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatAgo, formatDate } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { NewKeyDialog } from '../issued-key-dialog.tsx'
import { CreateServiceKeyDialog } from './create-service-key-dialog.tsx'
import { RevokeServiceKeyDialog } from './revoke-service-key-dialog.tsx'
import { SERVICE_KEY_HINTS } from './service-key-labels.ts'
import { SERVICE_KEYS_KEY, serviceKeysQuery } from './service-keys.queries.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The keys for the protocol of the hosted service. They belong to the instance, and only the owner sees them. */
export function ServiceKeysCard() {
  const client = useQueryClient()
  const keys = useQuery(serviceKeysQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [issued, setIssued] = useState<IssuedServiceKey | null>(null)
  const [revoking, setRevoking] = useState<ServiceKey | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: [SERVICE_KEYS_KEY] })
  const rotating = useMutation({
    mutationFn: ({ id }: ServiceKey) => callApi(rotateServiceKey, { params: { id } }),
    onSuccess: setIssued,
    onError: (error) => toast({ title: errorDetail(error, t('The service key could not be rotated.')) }),
    onSettled: refresh,
  })
  const serviceKeys = keys.data ?? []
  return (
    <Card
      title={t('Hosted service keys')}
      className="mt-4"
      aside={
        <Button
          size="sm"
          icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setIsCreating(true)}
        >
          {t('Create service key')}
        </Button>
      }
    >
      <p className="px-4 pt-3 text-label text-ink-2">
        {t(
          'Programs that use the protocol of the hosted service send one of these keys. A secret key can manage accounts, so keep it on a server.',
        )}
      </p>
      <QueryError query={keys} message={t('The service keys could not be loaded.')} />
      {keys.isPending ? <Skeleton className="m-4 h-10" /> : null}
      {keys.isSuccess && serviceKeys.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">{t('There are no service keys.')}</p>
      ) : null}
      <ul aria-label={t('Service keys')} className="divide-y divide-line">
        {serviceKeys.map((key) => (
          <ServiceKeyRow
            key={key.id}
            serviceKey={key}
            isRotating={rotating.isPending && rotating.variables.id === key.id}
            onRotate={() => rotating.mutate(key)}
            onRevoke={() => setRevoking(key)}
          />
        ))}
      </ul>
      {isCreating ? (
        <CreateServiceKeyDialog
          onClose={() => setIsCreating(false)}
          onIssued={(key) => {
            setIsCreating(false)
            setIssued(key)
            void refresh()
          }}
        />
      ) : null}
      {revoking ? (
        <RevokeServiceKeyDialog
          serviceKey={revoking}
          onClose={() => setRevoking(null)}
          onRevoked={() => {
            setRevoking(null)
            void refresh()
          }}
        />
      ) : null}
      {issued ? (
        <NewKeyDialog
          key={issued.key}
          secret={issued.key}
          hint={issued.key_hint}
          description={issued.label}
          onClose={() => setIssued(null)}
        >
          <dt className="text-ink-2">{t('Kind')}</dt>
          <dd>
            <Tag>{issued.kind}</Tag>
          </dd>
          <dt className="text-ink-2">{t('Use')}</dt>
          <dd>{SERVICE_KEY_HINTS[issued.kind]}</dd>
        </NewKeyDialog>
      ) : null}
    </Card>
  )
}

interface ServiceKeyRowProps {
  serviceKey: ServiceKey
  isRotating: boolean
  onRotate: () => void
  onRevoke: () => void
}

function ServiceKeyRow({ serviceKey, isRotating, onRotate, onRevoke }: ServiceKeyRowProps) {
  const nowMs = useNow()
  const { label, kind, key_hint: hint, usage_count: uses, last_used: lastUsed } = serviceKey
  const use = lastUsed
    ? t('{uses, plural, one {# use} other {# uses}}, last {lastUsed}', {
        uses,
        lastUsed: formatAgo(lastUsed, nowMs),
      })
    : t('never used')
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-medium wrap-anywhere">{label}</bdi>
          <Tag>{kind}</Tag>
        </div>
        <p className="mt-0.5 text-caption text-ink-3">
          {rich('{hint} · created {created_at} · {use}', {
            hint: <code>{hint}</code>,
            created_at: formatDate(serviceKey.created_at),
            use,
          })}
        </p>
      </div>
      <IconButton label={t('Rotate {label}', { label })} size="sm" disabled={isRotating} onClick={onRotate}>
        <RotateCw size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t('Revoke {label}', { label })} size="sm" onClick={onRevoke}>
        <Trash2 size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}

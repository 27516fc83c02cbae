import { type SsoProvider, testSsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Download, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { StatusBadge, Tag } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatAgo, formatDate } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { RemoveSsoProviderDialog } from './remove-sso-provider-dialog.tsx'
import { SSO_KEY, ssoProvidersQuery } from './sso.queries.ts'
import { SsoProviderDialog } from './sso-provider-dialog.tsx'
import { sayTest } from './sso-test-result.ts'
import { t } from '@/lib/i18n/messages.ts'

type Opened = { kind: 'add' } | { kind: 'edit' | 'remove'; provider: SsoProvider }

/** The SAML providers, and the addresses of this instance that their administrators need. */
export function SsoView() {
  const client = useQueryClient()
  const query = useQuery(ssoProvidersQuery)
  const [opened, setOpened] = useState<Opened | null>(null)
  const testing = useMutation({
    mutationFn: ({ id }: SsoProvider) => callApi(testSsoProvider, { params: { id } }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast({ title: errorDetail(error, t('The test could not start.')) }),
  })
  const close = () => setOpened(null)
  const closeAfter = (title: string) => {
    close()
    toast({ title })
    void client.invalidateQueries({ queryKey: [SSO_KEY] })
  }
  const data = query.data
  return (
    <div className="flex flex-col gap-4">
      <QueryError query={query} message={t('The SAML providers could not be loaded.')} />
      {query.isPending ? <Skeleton className="h-40 rounded-card!" /> : null}
      {data ? <OwnAddresses metadataUrl={data.metadata_url} acsUrl={data.acs_url} /> : null}
      {data ? (
        <Card
          title={t('SAML providers')}
          aside={
            <Button
              size="sm"
              icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
              onClick={() => setOpened({ kind: 'add' })}
            >
              {t('Add provider')}
            </Button>
          }
        >
          {data.providers.length === 0 ? (
            <p className="px-4 py-3 text-ink-3">
              {t(
                'There are no providers yet. Give the addresses above to the administrator of a provider, then add its metadata.',
              )}
            </p>
          ) : null}
          <ul aria-label={t('SAML providers')} className="divide-y divide-line">
            {data.providers.map((provider) => (
              <ProviderRow
                key={provider.id}
                provider={provider}
                isTesting={testing.isPending && testing.variables.id === provider.id}
                onTest={() => testing.mutate(provider)}
                onEdit={() => setOpened({ kind: 'edit', provider })}
                onRemove={() => setOpened({ kind: 'remove', provider })}
              />
            ))}
          </ul>
        </Card>
      ) : null}
      {opened?.kind === 'remove' ? (
        <RemoveSsoProviderDialog
          provider={opened.provider}
          onClose={close}
          onRemoved={() => closeAfter(t('SAML provider removed'))}
        />
      ) : null}
      {opened && opened.kind !== 'remove' ? (
        <SsoProviderDialog
          provider={opened.kind === 'edit' ? opened.provider : null}
          onClose={close}
          onSaved={() =>
            closeAfter(opened.kind === 'edit' ? t('SAML provider saved') : t('SAML provider added'))
          }
        />
      ) : null}
    </div>
  )
}

const OwnAddresses = ({ metadataUrl, acsUrl }: { metadataUrl: string; acsUrl: string }) => (
  <Card
    title={t('Addresses for the provider')}
    aside={
      <a href="/auth/v1/sso/saml/metadata?download=true" download className={buttonClass({ size: 'sm' })}>
        <Download size={14} strokeWidth={1.75} aria-hidden />
        {t('Metadata file')}
      </a>
    }
  >
    <ul aria-label={t('Our addresses')} className="flex flex-col gap-2 px-4 py-3">
      <Address name={t('Metadata address (entity id)')} value={metadataUrl} />
      <Address name={t('ACS address')} value={acsUrl} />
    </ul>
  </Card>
)

const Address = ({ name, value }: { name: string; value: string }) => (
  <li className="flex items-center gap-3">
    <div className="min-w-0 flex-1">
      <p className="text-label text-ink-2">{name}</p>
      <code className="wrap-anywhere">{value}</code>
    </div>
    <IconButton
      label={t('Copy {name}', { name })}
      size="sm"
      onClick={() =>
        void copyText(value).then((isCopied) =>
          toast({ title: isCopied ? t('Copied') : t('The browser did not allow copying.') }),
        )
      }
    >
      <Copy size={16} strokeWidth={1.75} aria-hidden />
    </IconButton>
  </li>
)

interface ProviderRowProps {
  provider: SsoProvider
  isTesting: boolean
  onTest: () => void
  onEdit: () => void
  onRemove: () => void
}

function ProviderRow({ provider, isTesting, onTest, onEdit, onRemove }: ProviderRowProps) {
  const nowMs = useNow()
  const { entity_id: name, domains, accounts, last_test: test, metadata_valid_until: end } = provider
  const isOutdated = end !== null && Date.parse(end) <= nowMs
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          {provider.is_disabled ? (
            <StatusBadge status="disabled" tone="grey">
              {t('Switched off')}
            </StatusBadge>
          ) : null}
          {domains.map((domain) => (
            <Tag key={domain}>{domain}</Tag>
          ))}
        </div>
        <p className="mt-0.5 text-caption text-ink-3 wrap-anywhere">
          {t(
            '{accounts, plural, one {# account} other {# accounts}} · added {created_at} · certificate until {certificate_ends_at} · metadata read {metadata_read_at}',
            {
              accounts,
              created_at: formatDate(provider.created_at),
              certificate_ends_at: formatDate(provider.certificate_ends_at),
              metadata_read_at: formatAgo(provider.metadata_read_at, nowMs),
            },
          )}
        </p>
        {isOutdated ? (
          <p className="mt-1 text-label font-medium text-red-ink">
            {t('The metadata expired on {end}, so nobody can sign in. Ask the provider for new metadata.', {
              end: formatDate(end),
            })}
          </p>
        ) : null}
        {test ? (
          <p
            className={`mt-1 text-label wrap-anywhere ${test.works ? 'text-ink-2' : 'font-medium text-red-ink'}`}
          >
            {sayTest(test)} <span className="text-ink-3">{formatAgo(test.at, nowMs)}</span>
          </p>
        ) : null}
      </div>
      <div className="flex items-center gap-1">
        <Button size="sm" isPending={isTesting} onClick={onTest} aria-label={t('Test {name}', { name })}>
          {t('Test')}
        </Button>
        <IconButton label={t('Edit {name}', { name })} size="sm" onClick={onEdit}>
          <Pencil size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('Remove {name}', { name })} size="sm" onClick={onRemove}>
          <Trash2 size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

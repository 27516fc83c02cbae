import type { ApiKey } from '@pegasus/contracts/api-keys'
import { Copy } from 'lucide-react'
import type { Column } from '@/components/data-table.tsx'
import { StatusBadge, Tag } from '@/components/ui/display/badge.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { formatAgo, formatCount, formatDate, formatDateTime } from '@/lib/format/format.ts'
import { RowActions } from './key-actions.tsx'
import { KEY_LOOKS, statusOf } from './key-details.ts'
import { copyPrefix, type KeyActions } from './use-key-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

export const KeyStatus = ({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) => {
  const status = statusOf(apiKey, nowMs)
  const { label, tone } = KEY_LOOKS[status]
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusBadge status={status} tone={tone}>
        {label}
      </StatusBadge>
      {apiKey.owner_in_force ? null : (
        <span className="text-caption text-yellow-ink">{t('Owner without access')}</span>
      )}
    </span>
  )
}

export const KeyScopes = ({ scope }: Pick<ApiKey, 'scope'>) => (
  <span className="flex flex-wrap gap-1">
    {scope.map((each) => (
      <Tag key={each}>{each}</Tag>
    ))}
  </span>
)

/** The start of a key, cut to the width of the column. */
export const KeyPrefix = ({ apiKey }: { apiKey: ApiKey }) => (
  <span className="flex min-w-0 items-center gap-1">
    <code className="min-w-0 truncate text-label" title={apiKey.key_prefix}>
      {apiKey.key_prefix}…
    </code>
    <IconButton
      label={t('Copy prefix of {label}', { label: apiKey.label })}
      size="sm"
      onClick={() => void copyPrefix(apiKey)}
    >
      <Copy size={14} strokeWidth={1.75} aria-hidden />
    </IconButton>
  </span>
)

interface KeyColumnsOptions {
  nowMs: number
  actions: KeyActions
  onDetails: (key: ApiKey) => void
  onDelete: (key: ApiKey) => void
}

export const keyColumns = ({
  nowMs,
  actions,
  onDetails,
  onDelete,
}: KeyColumnsOptions): readonly Column<ApiKey>[] => [
  {
    id: 'key',
    head: t('Key'),
    // Shows the whole prefix if there is room.
    track: 'clamp(124px, 14%, 176px)',
    cell: (key) => <KeyPrefix apiKey={key} />,
  },
  {
    id: 'label',
    head: t('Label'),
    track: 'minmax(0, 1.9fr)',
    value: ({ label }) => label,
    cell: (key) => (
      <bdi className="line-clamp-2 font-medium wrap-anywhere" title={key.label}>
        {key.label}
      </bdi>
    ),
  },
  {
    id: 'owner',
    head: t('Owner'),
    track: 'minmax(0, 1fr)',
    value: ({ username }) => username,
    cell: (key) => <bdi className="block truncate text-ink-2">{key.username}</bdi>,
  },
  {
    id: 'scope',
    head: t('Scope'),
    track: 'minmax(104px, 1.35fr)',
    value: ({ scope }) => scope.join(', '),
    cell: (key) => <KeyScopes scope={key.scope} />,
  },
  {
    id: 'status',
    head: t('Status'),
    track: 'minmax(96px, 0.9fr)',
    value: (key) => KEY_LOOKS[statusOf(key, nowMs)].label,
    cell: (key) => <KeyStatus apiKey={key} nowMs={nowMs} />,
  },
  {
    id: 'usage',
    head: t('Usage'),
    track: '76px',
    isNumber: true,
    value: (key) => key.usage_count,
    cell: (key) => formatCount(key.usage_count),
  },
  {
    id: 'created',
    head: t('Created'),
    track: '104px',
    from: 1080,
    value: (key) => key.created_at,
    cell: (key) => <span className="text-ink-2">{formatDate(key.created_at)}</span>,
  },
  {
    id: 'last-used',
    head: t('Last Used'),
    track: '104px',
    from: 900,
    value: (key) => key.last_used,
    cell: (key) => (
      <span
        className="block truncate text-ink-2"
        title={key.last_used ? `${formatDateTime(key.last_used)}, ${key.last_used_ip ?? ''}` : undefined}
      >
        {key.last_used ? formatAgo(key.last_used, nowMs) : t('never')}
      </span>
    ),
  },
  {
    id: 'actions',
    head: t('Actions'),
    track: '160px',
    isNumber: true,
    cell: (key) => (
      <RowActions
        apiKey={key}
        actions={actions}
        onDetails={() => onDetails(key)}
        onDelete={() => onDelete(key)}
      />
    ),
  },
]

interface KeyRowProps {
  apiKey: ApiKey
  nowMs: number
  onDetails: () => void
}

/** A key in the list on a phone. Its actions are in its details. */
export const KeyRow = ({ apiKey, nowMs, onDetails }: KeyRowProps) => (
  <div className="relative flex min-h-[76px] w-full flex-col justify-center gap-1.5 px-4 py-2.5">
    <span className="flex w-full items-center gap-2">
      <button
        type="button"
        onClick={onDetails}
        className="min-w-0 flex-1 truncate text-start font-medium after:absolute after:inset-0"
      >
        <span className="sr-only">{t('Details of')} </span>
        <bdi>{apiKey.label}</bdi>
      </button>
      <KeyStatus apiKey={apiKey} nowMs={nowMs} />
    </span>
    <span className="flex w-full items-center gap-2 text-caption text-ink-3">
      <bdi className="truncate">{apiKey.username}</bdi>
      <KeyScopes scope={apiKey.scope} />
      <span className="ms-auto shrink-0">
        {apiKey.last_used ? formatAgo(apiKey.last_used, nowMs) : t('never used')}
      </span>
    </span>
  </div>
)

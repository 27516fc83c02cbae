import type { ApiKey, IssuedApiKey } from '@pegasus/contracts/api-keys'
import { API_KEY_SCOPES, hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  appliedFilters,
  choiceFilter,
  type ListFilters,
  searchFilter,
} from '@/components/kit/list-filters.tsx'
import { ListStates, type ListTexts } from '@/components/kit/list-page.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { apiKeysQuery } from './api-keys.queries.ts'
import { NO_FILTERS, readFilters, readOpenKey, withFilters, withOpenKey } from './api-keys-address.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { IssuedKeyDialog } from './issued-key-dialog.tsx'
import { KeyRow, keyColumns } from './key-columns.tsx'
import { KeyDetailsDialog } from './key-details-dialog.tsx'
import { filterKeys, type KeyFilters, keyFigures } from './key-details.ts'
import { KeyFigureStrip } from './key-figures.tsx'
import { ServiceKeysCard } from './service-keys/service-keys-card.tsx'
import { useKeyActions } from './use-key-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

const REFETCH_MS = 5000
const SEARCH_LABEL = t('Search label, owner or key')

/** The filters with their texts. Their controls are in the toolbar, because they apply during typing. */
const FILTERS: ListFilters<KeyFilters> = [
  searchFilter(SEARCH_LABEL),
  choiceFilter({
    name: 'scope',
    label: t('Scope'),
    any: t('Any scope'),
    clearLabel: t('Clear scope'),
    values: API_KEY_SCOPES,
    labelOf: (scope) => scope,
    className: 'w-36',
  }),
]

const TEXTS: ListTexts = {
  name: t('The API keys'),
  one: 'key',
  loading: t('Loading the API keys'),
  noMatches: t('No API keys found'),
}

/** The page of API keys, with owner, scopes and use of each key. */
export function ApiKeysPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  // Using a key sends no event, so the list polls.
  const keys = useQuery({ ...apiKeysQuery, refetchInterval: REFETCH_MS })
  const nowMs = useNow()
  const isOwner = hasRole(useCurrentUser().role, 'owner')
  const [isCreating, setIsCreating] = useState(false)
  const [issued, setIssued] = useState<IssuedApiKey | null>(null)
  const [deleting, setDeleting] = useState<ApiKey | null>(null)
  // A deleted key is hidden immediately. The URL changes a moment later.
  const [goneId, setGoneId] = useState<string | null>(null)
  const openId = readOpenKey(params)
  const actions = useKeyActions(setIssued)
  const openKey = (id: string | null) => setParams(withOpenKey(params, id))
  const apply = (change: Partial<KeyFilters>) =>
    setParams(withFilters(params, { ...filters, ...change }), { replace: true })

  const { isError } = keys
  useEffect(() => {
    if (isError) toast({ title: t('Failed to fetch API key data. Please try again.') })
  }, [isError])

  const all = keys.data?.items
  const shownKeys = filterKeys(all ?? [], filters)
  return (
    <div className="flex flex-col">
      <h1 className="sr-only">{t('API Keys')}</h1>
      {/* On a phone the figures are below the keys. */}
      <div className="phone:order-last phone:mt-3">
        <KeyFigureStrip figures={all ? keyFigures(all, nowMs) : null} />
      </div>
      <Toolbar
        filters={filters}
        onApply={apply}
        count={all && all.length > 0 ? shownKeys.length : null}
        onCreate={() => setIsCreating(true)}
      />
      <ListStates
        data={{
          list: keys,
          items: shownKeys,
          count: { total: shownKeys.length, isTotalCapped: false },
          isLoading: keys.isPending,
          isEmpty: all !== undefined && shownKeys.length === 0,
          paging: { isStale: false, hasMore: false, onMore: () => {} },
        }}
        texts={TEXTS}
        rows={{
          name: 'api-keys',
          label: t('API keys'),
          columns: keyColumns({ nowMs, actions, onDetails: ({ id }) => openKey(id), onDelete: setDeleting }),
          rowHeight: 52,
          phoneRow: (key) => <KeyRow apiKey={key} nowMs={nowMs} onDetails={() => openKey(key.id)} />,
          phoneRowHeight: 76,
          hasPictures: false,
        }}
        empty={{
          icon: KeyRound,
          title: t('No API keys found'),
          text: t(
            'Connect your shop and printers with API keys. A key allows the calls of its scopes, and can be disabled at any time.',
          ),
          actions: <Button onClick={() => setIsCreating(true)}>{t('Create the first key')}</Button>,
        }}
        // If there are no keys at all, the filters are not the reason for the empty list.
        applied={all?.length ? appliedFilters(FILTERS, filters, apply) : []}
        onClearAll={() => apply(NO_FILTERS)}
      />
      {isOwner ? <ServiceKeysCard /> : null}
      <CreateKeyDialog
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onIssued={(key) => {
          setIsCreating(false)
          setIssued(key)
          void keys.refetch()
        }}
      />
      {/* Only one dialog is open at a time. The details close while a question or a new key is shown, and then reopen. */}
      <KeyDetailsDialog
        id={deleting || issued || openId === goneId ? null : openId}
        actions={actions}
        onClose={() => openKey(null)}
        onDelete={setDeleting}
      />
      <DeleteKeyDialog
        key={deleting?.id}
        apiKey={deleting}
        actions={actions}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          setGoneId(deleting?.id ?? null)
          setDeleting(null)
          if (openId) openKey(null)
        }}
      />
      <IssuedKeyDialog issued={issued} onClose={() => setIssued(null)} />
    </div>
  )
}

interface ToolbarProps {
  filters: KeyFilters
  onApply: (change: Partial<KeyFilters>) => void
  /** Number of shown keys; null while it is unknown, or if there are no keys to filter. */
  count: number | null
  onCreate: () => void
}

/** The filters above the list. They apply during typing, because the whole list is loaded. */
const Toolbar = ({ filters, onApply, count, onCreate }: ToolbarProps) => (
  <div role="search" className="mb-4 flex flex-wrap items-center gap-2 phone:mb-2">
    <Input
      type="search"
      aria-label={SEARCH_LABEL}
      placeholder={SEARCH_LABEL}
      value={filters.search}
      onChange={(event) => onApply({ search: event.target.value })}
      maxLength={200}
      icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
      className="w-80 phone:min-w-0 phone:flex-1"
    />
    <Select
      aria-label={t('Scope')}
      value={filters.scope ?? ''}
      onChange={(event) =>
        onApply({ scope: API_KEY_SCOPES.find((scope) => scope === event.target.value) ?? null })
      }
      className="w-36 phone:w-auto"
    >
      <option value="">{t('Any scope')}</option>
      <Options of={API_KEY_SCOPES} />
    </Select>
    <p role="status" className="ms-2 min-h-5 text-ink-3 phone:order-1 phone:ms-1">
      {count === null ? '' : t('{count, plural, one {# key} other {# keys}}', { count })}
    </p>
    <Button
      variant="primary"
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
      onClick={onCreate}
      className="ms-auto phone:min-w-11"
    >
      <span className="phone:sr-only">{t('Create New API Key')}</span>
    </Button>
  </div>
)

import type { ApiKey, IssuedApiKey } from '@pegasus/contracts/api-keys'
import { API_KEY_SCOPES } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { toast } from '@/components/ui/overlays/toast.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatNumberOf, formatTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { apiKeysQuery } from './api-keys.queries.ts'
import { NO_FILTERS, readFilters, readOpenKey, withFilters, withOpenKey } from './api-keys-address.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { IssuedKeyDialog } from './created-key-dialog.tsx'
import { KeyRow, keyColumns } from './key-columns.tsx'
import { KeyDetailsDialog } from './key-details-dialog.tsx'
import { filterKeys, type KeyFilters, keyFigures } from './key-details.ts'
import { KeyFigureStrip } from './key-figures.tsx'
import { useKeyActions } from './use-key-actions.ts'

const ROW_HEIGHT = 52
const PHONE_ROW_HEIGHT = 76
const REFETCH_MS = 5000

/** The API keys: owner, scopes and use of each. */
export function ApiKeysPage() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  // Use of a key sends no event, so the list polls.
  const keys = useQuery({ ...apiKeysQuery, refetchInterval: REFETCH_MS })
  const nowMs = useNow()
  const [isCreating, setIsCreating] = useState(false)
  const [issued, setIssued] = useState<IssuedApiKey | null>(null)
  const [deleting, setDeleting] = useState<ApiKey | null>(null)
  // The address follows a moment later.
  const [goneId, setGoneId] = useState<string | null>(null)
  const openId = readOpenKey(params)
  const actions = useKeyActions(setIssued)
  const open = (id: string | null) => setParams(withOpenKey(params, id))
  const apply = (next: KeyFilters) => setParams(withFilters(params, next), { replace: true })

  const { isError } = keys
  useEffect(() => {
    if (isError) toast({ title: 'Failed to fetch API key data. Please try again.' })
  }, [isError])

  const all = keys.data?.items
  const shown = filterKeys(all ?? [], filters)
  return (
    <>
      <h1 className="sr-only">API Keys</h1>
      <KeyFigureStrip figures={all ? keyFigures(all, nowMs) : null} />
      <Toolbar
        filters={filters}
        onApply={apply}
        count={all && all.length > 0 ? shown.length : null}
        onCreate={() => setIsCreating(true)}
      />
      {isError ? (
        <ErrorState
          message={all ? 'The API keys could not be refreshed.' : 'The API keys could not be loaded.'}
          detail={`${errorMessage(keys.error, 'Please try again.')}${all ? ` The list below is from ${formatTime(keys.dataUpdatedAt)}.` : ''}`}
          onRetry={() => void keys.refetch()}
          isRetrying={keys.isFetching}
          className="mb-4"
        />
      ) : null}
      {keys.isPending ? (
        <TableSkeleton
          label="Loading the API keys"
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          hasPictures={false}
        />
      ) : null}
      {all && shown.length === 0 ? (
        all.length === 0 ? (
          <NoKeys onCreate={() => setIsCreating(true)} />
        ) : (
          <NoMatches
            title="No API keys found"
            filters={appliedFilters(filters, apply)}
            onClearAll={() => apply(NO_FILTERS)}
          />
        )
      ) : null}
      {shown.length > 0 ? (
        <DataTable
          label="API keys"
          columns={keyColumns({
            nowMs,
            actions,
            onDetails: ({ id }) => open(id),
            onDelete: setDeleting,
          })}
          rows={shown}
          total={shown.length}
          rowHeight={ROW_HEIGHT}
          phoneRow={(key) => <KeyRow apiKey={key} nowMs={nowMs} onDetails={() => open(key.id)} />}
          phoneRowHeight={PHONE_ROW_HEIGHT}
          isStale={false}
          hasMore={false}
          onMore={() => {}}
        />
      ) : null}
      <CreateKeyDialog
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onIssued={(key) => {
          setIsCreating(false)
          setIssued(key)
          void keys.refetch()
        }}
      />
      {/* One dialog at a time: the details make way for what is asked or shown, and are there again after it. */}
      <KeyDetailsDialog
        id={deleting || issued || openId === goneId ? null : openId}
        actions={actions}
        onClose={() => open(null)}
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
          if (openId) open(null)
        }}
      />
      <IssuedKeyDialog issued={issued} onClose={() => setIssued(null)} />
    </>
  )
}

interface ToolbarProps {
  filters: KeyFilters
  onApply: (filters: KeyFilters) => void
  /** Number of keys shown; null while unknown, or if there are none to choose from. */
  count: number | null
  onCreate: () => void
}

/** The whole list is loaded, so typing filters at once. */
const Toolbar = ({ filters, onApply, count, onCreate }: ToolbarProps) => (
  <div role="search" className="mb-4 flex flex-wrap items-center gap-2 phone:mb-3">
    <Input
      type="search"
      aria-label="Search label, owner or key"
      placeholder="Search label, owner or key"
      value={filters.search}
      onChange={(event) => onApply({ ...filters, search: event.target.value })}
      maxLength={200}
      icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
      className="w-80 phone:w-full"
    />
    <Select
      aria-label="Scope"
      value={filters.scope ?? ''}
      onChange={(event) =>
        onApply({ ...filters, scope: API_KEY_SCOPES.find((scope) => scope === event.target.value) ?? null })
      }
      className="w-36"
    >
      <option value="">Any scope</option>
      <Options of={API_KEY_SCOPES} />
    </Select>
    <p role="status" className="ml-2 min-h-5 text-ink-3 phone:ml-1">
      {count === null ? '' : formatNumberOf(count, 'key')}
    </p>
    <Button
      variant="primary"
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
      onClick={onCreate}
      className="ml-auto phone:w-full"
    >
      Create New API Key
    </Button>
  </div>
)

const NoKeys = ({ onCreate }: { onCreate: () => void }) => (
  <Card className="p-4">
    <EmptyState
      icon={<KeyRound size={28} strokeWidth={1.4} aria-hidden />}
      title="No API keys found"
      titleLevel={2}
      actions={<Button onClick={onCreate}>Create the first key</Button>}
    >
      Connect your shop and printers with API keys. A key opens what its scope names, and can be disabled at
      any time.
    </EmptyState>
  </Card>
)

function appliedFilters(filters: KeyFilters, apply: (next: KeyFilters) => void): AppliedFilter[] {
  const { search, scope } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    scope
      ? { name: scope, clearLabel: 'Clear scope', onClear: () => apply({ ...filters, scope: null }) }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}

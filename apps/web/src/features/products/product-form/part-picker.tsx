import { listInventory } from '@pegasus/contracts/inventory/items'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Skeleton, SkeletonRows } from '@/components/ui/feedback/skeleton.tsx'
import { callList } from '@/lib/http/api.ts'
import { formatMoney } from '@/lib/format/format.ts'
import { modelsQuery } from '@/lib/http/models.queries.ts'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value.ts'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const SHOWN = 40
const SETTLE_MS = 200

export type PartKind = 'model' | 'item'

export interface Part {
  kind: PartKind
  id: string
}

interface PartPickerProps {
  kind: PartKind
  title: string
  onPick: (part: Part) => void
  onClose: () => void
}

/** Finds a model of the library or an item in stock. */
export function PartPicker({ kind, title, onPick, onClose }: PartPickerProps) {
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim(), SETTLE_MS)
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Input
        type="search"
        autoFocus
        aria-label={kind === 'model' ? t('Search models') : t('Search inventory items')}
        placeholder={t('Search')}
        maxLength={200}
        icon={<Search size={16} strokeWidth={1.75} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-3 h-[min(420px,50dvh)] overflow-y-auto rounded-control border border-line">
        {kind === 'model' ? (
          <Models search={search} onPick={(id) => onPick({ kind, id })} />
        ) : (
          <Items search={search} onPick={(id) => onPick({ kind, id })} />
        )}
      </div>
    </Dialog>
  )
}

interface ListProps {
  search: string
  onPick: (id: string) => void
}

function Models({ search, onPick }: ListProps) {
  const models = useQuery({ ...modelsQuery({ search, limit: SHOWN }), placeholderData: keepPreviousData })
  return (
    <Rows
      query={models}
      error={t('The models could not be loaded.')}
      loading={t('The models: loading')}
      empty={t('No STL files found')}
    >
      {models.data?.items.map((model) => (
        <Row
          key={model.id}
          picture={model.thumbnail_path}
          name={model.title}
          note={
            model.is_product
              ? `${LICENSE_LABELS[model.license_type]} · ${t('already a product')}`
              : LICENSE_LABELS[model.license_type]
          }
          onPick={() => onPick(model.id)}
        />
      ))}
    </Rows>
  )
}

function Items({ search, onPick }: ListProps) {
  const items = useQuery({
    queryKey: ['inventory', 'brief', { search }],
    queryFn: ({ signal }) =>
      callList(listInventory, { query: { limit: SHOWN, ...(search && { search }) }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Rows
      query={items}
      error={t('The items could not be loaded.')}
      loading={t('The items: loading')}
      empty={t('No inventory items found')}
    >
      {items.data?.items.map((item) => (
        <Row
          key={item.id}
          picture={item.stl_thumbnail_path}
          tint={item.color_hex}
          name={item.name}
          note={joinFacts([
            item.sku,
            t('{available_quantity, plural, one {# piece} other {# pieces}} available', {
              available_quantity: item.available_quantity,
            }),
            item.selling_price ? formatMoney(item.selling_price) : null,
          ])}
          onPick={() => onPick(item.id)}
        />
      ))}
    </Rows>
  )
}

interface RowsProps {
  query: {
    isPending: boolean
    isError: boolean
    isFetching: boolean
    error: Error | null
    refetch: () => unknown
  }
  error: string
  loading: string
  empty: string
  children: ReactNode[] | undefined
}

function Rows({ query, error, loading, empty, children }: RowsProps) {
  if (query.isPending)
    return (
      <SkeletonRows label={loading} count={6} rowClass="flex items-center gap-3 px-3 py-2">
        <Skeleton className="size-11 rounded-control!" />
        <Skeleton className="h-3 w-2/5" />
      </SkeletonRows>
    )
  if (query.isError) return <QueryError query={query} message={error} className="m-3" />
  if (!children || children.length === 0) return <p className="p-4 text-ink-2">{empty}</p>
  return <ul className="divide-y divide-line">{children}</ul>
}

interface RowProps {
  picture: string | null
  tint?: string | null
  name: string
  note: string
  onPick: () => void
}

const Row = ({ picture, tint, name, note, onPick }: RowProps) => (
  <li>
    <button
      type="button"
      onClick={onPick}
      className="flex w-full items-center gap-3 px-3 py-2 text-start -outline-offset-2 hover:bg-hover"
    >
      <PartPicture src={picture} tint={tint} className="size-11" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block truncate text-caption text-ink-3">{note}</span>
      </span>
    </button>
  </li>
)

import { useQueryClient } from '@tanstack/react-query'
import { Boxes, Plus } from 'lucide-react'
import { useState } from 'react'
import { EditConflict } from '@/components/edit-conflict.tsx'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { EntityCards, EntityOverview, OverviewState } from '@/components/kit/entity-overview.tsx'
import { EntityColumns, EntityPage, OverviewSkeleton, SkeletonCard } from '@/components/kit/entity-page.tsx'
import { InlineEdit } from '@/components/kit/inline-edit.tsx'
import { EntityPicker, type PickedEntity, usePickerSearch } from '@/components/kit/entity-picker.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { choiceFilter, searchFilter, useListState } from '@/components/kit/list-filters.tsx'
import { ListPage } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { SummaryCard, SummaryRowSkeleton } from '@/components/kit/summary-card.tsx'
import { savedSearchesQuery } from '@/components/saved-searches/saved-searches.queries.ts'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { ApiError } from '@/lib/http/api-error.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { type ExampleGroup, ignore } from '../example.tsx'
import { LIST_QUERIES, type Part, PARTS, useFailed, useLoaded, usePending } from '../queries.ts'
import { COLUMNS, phoneRow } from './lists.tsx'

export const KIT: readonly ExampleGroup[] = [
  {
    component: 'ListPage',
    examples: (['rows', 'empty', 'loading', 'failed'] as const).map((state) => ({
      name: `State: ${state}`,
      isWide: true,
      show: <ListExample state={state} />,
    })),
  },
  {
    component: 'EntityPage',
    examples: [
      { name: 'Loaded', isWide: true, show: <LoadedPage /> },
      { name: 'Loading', isWide: true, show: <LoadingPage /> },
      { name: 'Failed', isWide: true, show: <FailedPage status={503} /> },
      { name: 'Not found', isWide: true, show: <FailedPage status={404} /> },
    ],
  },
  {
    component: 'MainAction',
    examples: [
      {
        name: 'An icon alone on a phone',
        show: <MainAction label="New order" icon={<Plus size={16} aria-hidden />} onClick={ignore} />,
      },
    ],
  },
  { component: 'FormDialog', examples: [{ name: 'Refuses the name “taken”', show: <FormExample /> }] },
  { component: 'EditDialog', examples: [{ name: 'Somebody else has saved', show: <EditExample /> }] },
  {
    component: 'EditConflict',
    examples: [
      {
        name: 'One field in conflict',
        isWide: true,
        show: (
          <EditConflict<'name' | 'notes'>
            merge={{
              form: { name: 'Wall hook', notes: 'Mine' },
              theirs: { name: 'Wall hook', notes: 'Theirs' },
              changed: ['notes'],
              conflicts: ['notes'],
            }}
            labels={{ name: 'Name', notes: 'Notes' }}
          />
        ),
      },
    ],
  },
  { component: 'EntityPicker', examples: [{ name: 'Search', show: <PickerExample /> }] },
  {
    component: 'InlineEdit',
    examples: [
      {
        name: 'A price',
        show: (
          <InlineEdit label="Price of Wall hook" value="12.50" onSave={async () => undefined}>
            $12.50
          </InlineEdit>
        ),
      },
    ],
  },
  { component: 'SavedSearches', examples: [{ name: 'One saved search', show: <SavedSearchesExample /> }] },
  {
    component: 'SummaryCard',
    examples: [
      { name: 'Rows', show: <LoadedSummary items={PARTS.slice(0, 3)} /> },
      { name: 'Empty', show: <LoadedSummary items={[]} /> },
      { name: 'Loading', show: <LoadingSummary /> },
      { name: 'Failed', show: <FailedSummary /> },
    ],
  },
  {
    component: 'EntityOverview',
    examples: [
      {
        name: 'Picture, state and facts, with cards below',
        isWide: true,
        show: (
          <>
            <EntityOverview picture={<span className="plinth" />}>
              <OverviewState code="J-00001" figure="× 6">
                Waiting for a printer
              </OverviewState>
              <DetailList isWide>
                <Detail name="Filament">PETG Signal Orange</Detail>
                <Detail name="Needs">157 g, 6 h 32 min</Detail>
              </DetailList>
            </EntityOverview>
            <EntityCards>
              <Card className="p-4">Plates</Card>
              <Card className="p-4">History</Card>
            </EntityCards>
          </>
        ),
      },
      { name: 'Loading', isWide: true, show: <OverviewSkeleton /> },
    ],
  },
  {
    component: 'DetailList',
    examples: [
      {
        name: 'Details',
        show: (
          <Card title="Details">
            <DetailList>
              <Detail name="Material">PETG</Detail>
              <Detail name="Location">Workshop / Rack A3</Detail>
            </DetailList>
          </Card>
        ),
      },
    ],
  },
]

type ListState = keyof typeof LIST_QUERIES
interface Filters {
  search: string
  material: 'PLA' | 'PETG' | null
}
const NO_FILTERS: Filters = { search: '', material: null }
const FIELDS = [
  searchFilter('Search parts'),
  choiceFilter({
    name: 'material',
    label: 'Material',
    any: 'Any material',
    clearLabel: 'Clear material',
    values: ['PLA', 'PETG'] as const,
    labelOf: (material) => material,
    className: 'w-40',
  }),
]

/** A list page, built as a feature builds one. Its filters have no effect, because there is no server. */
function ListExample({ state }: { state: ListState }) {
  const list = useListState({
    read: () => NO_FILTERS,
    write: (params) => params,
    fields: FIELDS,
    query: () => LIST_QUERIES[state],
  })
  return (
    <ListPage
      state={list}
      heading={<p className="sr-only">Parts</p>}
      texts={{
        name: 'The list of parts',
        one: 'part',
        loading: 'Loading the parts',
        noMatches: 'No parts match',
      }}
      rows={{ name: 'parts', label: 'Parts', columns: COLUMNS, rowHeight: 44, phoneRow, phoneRowHeight: 52 }}
      empty={{ icon: Boxes, title: 'No parts yet', text: 'Parts appear here.' }}
    />
  )
}

const PAGE = {
  list: { to: '/', name: 'Parts', one: 'part' as const },
  name: () => 'Component gallery',
  title: ({ name }: Part) => name,
  badges: () => <StatusBadge status="In Stock" />,
  actions: () => <Button>Edit</Button>,
  notFound: { title: 'There is no such part', text: 'It may have been deleted.', trashTo: '/' },
  skeleton: (
    <EntityColumns>
      <SkeletonCard lines={3} />
      <SkeletonCard lines={2} />
    </EntityColumns>
  ),
  children: ({ sku }: Part) => <Card className="p-4">SKU {sku}</Card>,
}

function LoadedPage() {
  return <EntityPage {...PAGE} query={useLoaded('part', PARTS[2] as Part)} />
}

function LoadingPage() {
  return <EntityPage {...PAGE} query={usePending('part')} />
}

function FailedPage({ status }: { status: number }) {
  return <EntityPage {...PAGE} query={useFailed('part', status)} />
}

const refuse = (status: number, detail: string) => new ApiError({ status, detail, otherwise: detail })

function FormExample() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Add a location</Button>
      {isOpen ? <LocationDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function LocationDialog({ onClose }: { onClose: () => void }) {
  const state = useNewForm({
    start: { name: '' },
    read: (form) =>
      form.name === ''
        ? { body: null, errors: { name: 'A name is required.' } }
        : { body: form, errors: null },
    create: async ({ name }: { name: string }) => {
      if (name === 'taken') throw refuse(409, 'There is a location with this name.')
      onClose()
    },
  })
  return (
    <FormDialog state={state} title="Add location" submitLabel="Add location" onClose={onClose}>
      <Field label="Name" error={state.errors?.name}>
        <Input value={state.form.name} onChange={(event) => state.change({ name: event.target.value })} />
      </Field>
    </FormDialog>
  )
}

interface Location {
  revision: number
  name: string
  notes: string
}

function EditExample() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Edit a location</Button>
      {isOpen ? <EditLocation onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/**
 * Edits revision 1. The simulated server already has revision 2 with other notes, so it refuses the first
 * save.
 */
function EditLocation({ onClose }: { onClose: () => void }) {
  return (
    <EditDialog
      thing={{ revision: 1, name: 'Rack A3', notes: 'Left wall' }}
      title="Edit location"
      labels={{ name: 'Name', notes: 'Notes' }}
      formOf={({ name, notes }: Location) => ({ name, notes })}
      read={(form) => ({ body: form, errors: null })}
      save={async ({ body, revision }) => {
        if (revision === 1) throw refuse(412, 'Somebody else has changed it.')
        return { revision: revision + 1, ...body }
      }}
      reread={async () => ({ revision: 2, name: 'Rack A3', notes: 'Right wall' })}
      savedText={({ name }) => `${name} saved`}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => (
        <div className="flex flex-col gap-4">
          <Field label="Name" error={errors?.name} hint={hintOf('name')}>
            <Input value={form.name} onChange={(event) => change({ name: event.target.value })} />
          </Field>
          <Field label="Notes" error={errors?.notes} hint={hintOf('notes')}>
            <Input value={form.notes} onChange={(event) => change({ notes: event.target.value })} />
          </Field>
        </div>
      )}
    </EditDialog>
  )
}

const PICKED: readonly PickedEntity[] = PARTS.map(({ id, name, sku }) => ({
  id,
  name,
  caption: sku,
  picture: null,
}))

const SAVED_SEARCH = {
  id: '01936c1e-0000-7000-8000-000000000001',
  list: 'orders',
  name: 'Due this week',
  query: 'status=pending',
  is_shared: true,
  is_mine: false,
  owner_name: 'Jo Okonkwo',
  created_at: '2026-11-20T10:00:00Z',
} as const

function SavedSearchesExample() {
  const client = useQueryClient()
  const [params] = useState(() => {
    client.setQueryData(savedSearchesQuery('orders').queryKey, [SAVED_SEARCH])
    return new URLSearchParams('status=pending')
  })
  const address = {
    list: 'orders',
    listName: 'the orders',
    params,
    queryOf: String,
    withSaved: (_: URLSearchParams, query: string) => new URLSearchParams(query),
  } as const
  return <SavedSearches address={address} />
}

function PickerExample() {
  const picker = usePickerSearch()
  const [chosen, setChosen] = useState<PickedEntity | null>(null)
  const search = picker.search.toLowerCase()
  const things = PICKED.filter(({ name }) => name.toLowerCase().includes(search))
  return (
    <Field label="Part">
      <EntityPicker
        picker={picker}
        chosen={chosen}
        onChange={setChosen}
        groups={[{ things }]}
        isFound
        nothingFound="No part has this name."
        placeholder="Search parts"
        listLabel="Parts found"
        clearLabel="Remove the part"
      />
    </Field>
  )
}

const SUMMARY = {
  title: 'Latest parts',
  link: { to: '/', label: 'All parts' },
  name: 'latest parts',
  count: 3,
  empty: { title: 'No parts yet', text: 'They appear here.' },
  skeletonRow: (
    <SummaryRowSkeleton className="flex items-center gap-3 p-3" pictureClass="size-8">
      <Skeleton className="h-3 w-1/2" />
    </SummaryRowSkeleton>
  ),
  children: ({ id, name }: Part) => (
    <li key={id} className="truncate p-3">
      {name}
    </li>
  ),
}

function LoadedSummary({ items }: { items: readonly Part[] }) {
  return <SummaryCard {...SUMMARY} query={useLoaded(`summary-${items.length}`, { items })} />
}

function LoadingSummary() {
  return <SummaryCard {...SUMMARY} query={usePending('summary')} />
}

function FailedSummary() {
  return <SummaryCard {...SUMMARY} query={useFailed('summary')} />
}

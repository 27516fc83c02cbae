import { Trash2 } from 'lucide-react'
import { CardGrid } from '@/components/card-grid.tsx'
import { type Column, DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { DeliveryLog } from '@/components/delivery-log.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { FilterChip } from '@/components/filter-chip.tsx'
import { ListError } from '@/components/list-error.tsx'
import { PageLinks } from '@/components/page-links.tsx'
import { SelectionAction, SelectionBar } from '@/components/selection/selection-bar.tsx'
import { Tick } from '@/components/selection/tick-column.tsx'
import { ColumnHead } from '@/components/table-view/column-head.tsx'
import { TableMenu } from '@/components/table-view/table-menu.tsx'
import { TrashView } from '@/components/trash-view.tsx'
import { useSelection } from '@/components/selection/use-selection.ts'
import { VirtualRows } from '@/components/virtual-rows.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { useList } from '@/lib/http/use-list.ts'
import { type ExampleGroup, ignore } from '../example.tsx'
import { DELIVERIES_QUERY, LIST_QUERIES, type Part, PARTS } from '../queries.ts'

export const COLUMNS: readonly Column<Part>[] = [
  {
    id: 'name',
    head: 'Name',
    track: 'minmax(0, 2fr)',
    cell: ({ name }) => <bdi className="truncate">{name}</bdi>,
  },
  { id: 'sku', head: 'SKU', track: 'minmax(0, 1fr)', cell: ({ sku }) => sku },
  { id: 'quantity', head: 'Quantity', track: '96px', isNumber: true, cell: ({ quantity }) => quantity },
]

export const phoneRow = ({ name, quantity }: Part) => (
  <span className="flex justify-between gap-3 p-4">
    <bdi className="truncate">{name}</bdi> {quantity}
  </span>
)

const PAGING = { total: PARTS.length, isStale: false, hasMore: false, onMore: ignore }

export const LISTS: readonly ExampleGroup[] = [
  {
    component: 'DeliveryLog',
    examples: [
      {
        name: 'Deliveries in each state',
        isWide: true,
        show: <DeliveryLog query={DELIVERIES_QUERY} onReplay={async () => undefined} onReplayed={ignore} />,
      },
    ],
  },
  {
    component: 'DataTable',
    examples: [
      {
        name: 'Rows',
        isWide: true,
        show: (
          <DataTable
            {...PAGING}
            label="Parts"
            columns={COLUMNS}
            rows={PARTS}
            rowHeight={44}
            phoneRow={phoneRow}
            phoneRowHeight={52}
          />
        ),
      },
      {
        name: 'Loading',
        isWide: true,
        show: (
          <TableSkeleton
            label="Loading the parts"
            rowHeight={44}
            phoneRowHeight={52}
            rows={3}
            hasPictures={false}
          />
        ),
      },
    ],
  },
  {
    component: 'ColumnHead',
    examples: [
      {
        name: 'Not sorted, and sorted both ways',
        show: (
          <div className="flex gap-4 text-caption text-ink-3">
            {([null, 'ascending', 'descending'] as const).map((direction) => (
              <ColumnHead key={direction} isNumber={false} direction={direction} onSort={ignore}>
                Name
              </ColumnHead>
            ))}
          </div>
        ),
      },
    ],
  },
  {
    component: 'TableMenu',
    examples: [
      {
        name: 'Columns, height and export',
        show: (
          <TableMenu
            name="parts"
            columns={[
              { id: 'sku', name: 'SKU' },
              { id: 'quantity', name: 'Quantity' },
            ]}
            onExport={ignore}
          />
        ),
      },
    ],
  },
  {
    component: 'CardGrid',
    examples: [
      {
        name: 'Cards',
        isWide: true,
        show: (
          <CardGrid
            {...PAGING}
            label="Parts as cards"
            items={PARTS}
            layoutOf={(width) => ({
              columns: Math.max(1, Math.floor(width / 220)),
              gap: 12,
              estimatedHeight: 64,
            })}
          >
            {({ name }) => <Card className="truncate p-4">{name}</Card>}
          </CardGrid>
        ),
      },
    ],
  },
  {
    component: 'VirtualRows',
    examples: [
      {
        name: 'Rows without a table',
        isWide: true,
        show: (
          <VirtualRows
            rowCount={3}
            estimatedHeight={28}
            pageTop={0}
            layoutKey="gallery"
            hasMore={false}
            onMore={ignore}
          >
            {(index) => <span key={index}>Row {index + 1}</span>}
          </VirtualRows>
        ),
      },
    ],
  },
  {
    component: 'FilterBar',
    examples: [
      {
        name: 'With a search and a count',
        isWide: true,
        show: (
          <FilterBar
            appliedKey=""
            onApply={ignore}
            count={{ total: 1000, isTotalCapped: true }}
            one="part"
            actions={<Button variant="primary">Add part</Button>}
          >
            <SearchField label="Search parts" value="hook" />
          </FilterBar>
        ),
      },
    ],
  },
  {
    component: 'FilterChip',
    examples: [
      {
        name: 'Of a list',
        show: <FilterChip name="“hook”" clearLabel="Clear search" onClear={ignore} />,
      },
      {
        name: 'That nothing else shows',
        show: <FilterChip name="PLA" clearLabel="Clear material" isStrong onClear={ignore} />,
      },
    ],
  },
  {
    component: 'PageLinks',
    examples: [
      {
        name: 'Of a list',
        show: (
          <div className="flex flex-wrap gap-2">
            <PageLinks
              menuLabel="More about parts"
              links={[{ to: '/parts/trash', label: 'Trash', Icon: Trash2 }]}
              queries={[]}
            />
          </div>
        ),
      },
    ],
  },
  { component: 'ListError', examples: [{ name: 'A failed list', show: <FailedList /> }] },
  { component: 'SelectionBar', examples: [{ name: 'Select rows to see it', show: <SelectionExample /> }] },
  { component: 'Tick', examples: [{ name: 'Of each row', show: <TickExample /> }] },
  {
    component: 'TrashView',
    examples: [
      { name: 'Deleted rows', isWide: true, show: <TrashExample query="rows" /> },
      { name: 'Empty', isWide: true, show: <TrashExample query="empty" /> },
    ],
  },
]

function FailedList() {
  return <ListError name="The list of parts" list={useList(LIST_QUERIES.failed).list} />
}

function SelectionExample() {
  const selection = useSelection<Part>('part', 3)
  return (
    <>
      <div className="flex flex-col gap-2">
        {PARTS.map((part) => (
          <Checkbox
            key={part.id}
            label={part.name}
            checked={selection.things.has(part.id)}
            onChange={() => selection.toggle(part)}
          />
        ))}
      </div>
      {selection.things.size > 0 ? (
        <SelectionBar
          selection={selection}
          one="part"
          nameOf={({ name }) => name}
          sum="12 pieces"
          deletion={{ failed: [], deleteAll: selection.clear, isDeleting: false }}
        >
          <SelectionAction icon={<Trash2 size={16} aria-hidden />} onClick={selection.clear}>
            Deselect
          </SelectionAction>
        </SelectionBar>
      ) : null}
    </>
  )
}

function TickExample() {
  const selection = useSelection<Part>('part', 3)
  return (
    <div className="flex gap-4">
      {PARTS.map((part) => (
        <Tick key={part.id} thing={part} name={part.name} selection={selection} />
      ))}
    </div>
  )
}

function TrashExample({ query }: { query: 'rows' | 'empty' }) {
  return (
    <TrashView
      query={LIST_QUERIES[query]}
      list={{ to: '/', name: 'Parts', one: 'part' }}
      note="Their history stays"
      nameOf={({ name }) => name}
      row={({ name }) => (
        <span className="truncate">
          <bdi>{name}</bdi>
        </span>
      )}
      onRestore={ignore}
    />
  )
}

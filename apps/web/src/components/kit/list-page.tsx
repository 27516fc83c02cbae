import type { LucideIcon } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { formatCount } from '@/lib/format/format.ts'
import { knownTotal } from '../card-grid.tsx'
import { type Column, DataTable, hideableColumns, TableSkeleton } from '../data-table.tsx'
import { FilterBar } from '../filter-bar.tsx'
import { ListError, type ListErrorProps } from '../list-error.tsx'
import { type AppliedFilter, NoMatches } from '../no-matches.tsx'
import { Card } from '../ui/display/card.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast } from '../ui/overlays/toast-store.ts'
import type { Selection } from '../selection/use-selection.ts'
import { TableMenu } from '../table-view/table-menu.tsx'
import { exportRows } from '../table-view/export-rows.ts'
import { useTableSettings } from '../table-view/table-settings.ts'
import { type ServerSort, useSorting } from '../table-view/use-sorting.ts'
import { appliedFilters, clearedFilters, type ListFilters, readControls } from './list-filters.tsx'
import { t } from '@/lib/i18n/messages.ts'
import type { Noun } from '@/lib/i18n/nouns.ts'

/** Rows in a table: its columns, and the row that a phone shows instead. Heights are in pixels. */
export interface TableRows<Row> {
  /** The table's name, under which the person's settings are stored. The same in every language: `orders`. */
  name: string
  /** The table's name for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rowHeight: number
  phoneRow: (row: Row, index: number) => ReactNode
  phoneRowHeight: number
  /** False if the rows have no picture. The skeleton then has none either. */
  hasPictures?: boolean
  /** The columns that the server can sort by. While the list is short, the browser sorts by other columns too. */
  serverSort?: ServerSort
}

/** The data for a component that shows the rows itself, such as a CardGrid. */
export interface ShownRows<Row> {
  items: readonly Row[]
  /** The number of rows on the server; −1 if unknown. */
  total: number
  isStale: boolean
  hasMore: boolean
  onMore: () => void
}

/** Rows that are not in a table, such as cards. */
export interface OtherRows<Row> {
  skeleton: ReactNode
  render: (shown: ShownRows<Row>) => ReactNode
}

export interface ListTexts {
  /** Name of the list at the start of a sentence: `The order list`. */
  name: string
  /** Noun for the entries of the list: `order`. */
  one: Noun
  /** Read out while the list loads: `Loading the orders`. */
  loading: string
  /** Title of the empty state if the filters match nothing: `No orders found`. */
  noMatches: string
}

interface EmptyList {
  icon: LucideIcon
  title: string
  /** Says what the list is for. */
  text: ReactNode
  /** Buttons for the first step, such as adding an entry. */
  actions?: ReactNode
}

/**
 * The rows of a list, and its loading state. `useList` returns it. A list that is not loaded page by page builds this
 * object itself.
 */
interface ListData<Row> {
  list: ListErrorProps['list']
  items: readonly Row[]
  /** The server's count of the list; null while it is unknown. */
  count: { total: number; isTotalCapped: boolean } | null
  isLoading: boolean
  isEmpty: boolean
  paging: Pick<ShownRows<Row>, 'isStale' | 'hasMore' | 'onMore'>
}

interface ListStatesProps<Row extends { id: string }> {
  data: ListData<Row>
  texts: ListTexts
  rows: TableRows<Row> | OtherRows<Row>
  /** Shown if the list is empty without any filter. */
  empty: EmptyList
  /** The filters that are applied, usually from `appliedFilters`. */
  applied: readonly AppliedFilter[]
  onClearAll: () => void
}

/**
 * The body of a list in each of its states: loading, failed, empty because of filters, empty without filters,
 * or with rows. `ListPage` puts the filter bar above it. Use it alone if the filters are not in a filter bar.
 */
export function ListStates<Row extends { id: string }>(props: ListStatesProps<Row>) {
  const { data, texts, rows, empty, applied, onClearAll } = props
  const { list, items, count, isLoading, isEmpty, paging } = data
  const shown = { ...paging, items, total: knownTotal(count ?? undefined) }
  const isTable = !('render' in rows)
  const sort = useSorting({
    columns: isTable ? rows.columns : [],
    rows: items,
    count,
    paging,
    server: isTable ? rows.serverSort : undefined,
  })
  const Icon = empty.icon
  return (
    <>
      <ListError name={texts.name} list={list} />
      {isLoading ? (
        'render' in rows ? (
          rows.skeleton
        ) : (
          <TableSkeleton {...rows} label={texts.loading} />
        )
      ) : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title={texts.noMatches} filters={applied} onClearAll={onClearAll} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<Icon size={28} strokeWidth={1.4} aria-hidden />}
            title={empty.title}
            titleLevel={2}
            actions={empty.actions}
          >
            {empty.text}
          </EmptyState>
        </Card>
      ) : null}
      {items.length === 0 ? null : 'render' in rows ? (
        rows.render(shown)
      ) : (
        <DataTable {...shown} {...rows} rows={sort.rows} sort={sort} />
      )}
    </>
  )
}

interface ListTableMenuProps<Row> {
  rows: TableRows<Row>
  data: Pick<ListData<Row>, 'list' | 'items' | 'count' | 'paging'>
}

/** The maximum number of exported rows. More rows would keep the browser busy for too long. */
const MAX_EXPORTED = 5000

/** The menu with columns, row height and export of a list's table, for the bar above the table. */
export function ListTableMenu<Row>({ rows, data }: ListTableMenuProps<Row>) {
  const { name, label, columns, serverSort } = rows
  const { list, items, count, paging } = data
  const { hidden } = useTableSettings(name)
  const sort = useSorting({ columns, rows: items, count, paging, server: serverSort })
  const isExporting = useRef(false)
  const exportNext = () => {
    isExporting.current = paging.hasMore && items.length < MAX_EXPORTED
    if (isExporting.current) return paging.onMore()
    const shown = columns.filter(({ id }) => !hidden.includes(id))
    exportRows(label, shown, sort.rows.slice(0, MAX_EXPORTED))
    if (paging.hasMore)
      toast({
        title: t('The file has the first {MAX_EXPORTED} rows.', { MAX_EXPORTED: formatCount(MAX_EXPORTED) }),
      })
  }
  const goOn = useEffectEvent(exportNext)
  // The rest of the list is loaded page by page before the export.
  useEffect(() => {
    if (isExporting.current && !list.isFetching) goOn()
  }, [list.isFetching, items.length])
  return (
    <TableMenu
      name={name}
      columns={hideableColumns(columns)}
      onExport={items.length === 0 ? null : exportNext}
    />
  )
}

interface ListPageProps<Row extends { id: string }, Filters>
  extends Omit<ListStatesProps<Row>, 'data' | 'applied' | 'onClearAll'> {
  /** The result of `useListState`. */
  state: {
    /** The filters in the URL. */
    filters: Filters
    /** The filters of the list, in the order of the filter bar. */
    fields: ListFilters<Filters>
    onApply: (change: Partial<Filters>) => void
    data: ListData<Row>
  }
  /** Name of the page. A string is only read out; pass a PageHead to show it. */
  heading: ReactNode
  /** Shown after the count in the filter bar. */
  note?: ReactNode
  /** Buttons at the right end of the filter bar. */
  actions?: ReactNode
  /** Shown below the filters in the filter sheet of a phone, such as saved searches. */
  sheetExtra?: ReactNode
  /** Shown between the filter bar and the list. */
  toolbar?: ReactNode
  /** The selected rows. Leave it out, or pass null, for people who may not change anything. */
  selection?: Selection<Row> | null
  /** Renders the bar that appears while rows are selected, such as a SelectionBar. */
  bulkBar?: (selection: Selection<Row>) => ReactNode
  /** Dialogs of the page. */
  children?: ReactNode
}

/**
 * A page with a list: filters whose state is in the URL, the count, the rows page by page, selected rows with bulk
 * actions, and all states of the list. A page describes its filters (`searchFilter`, `choiceFilter`, `orderFilter`),
 * its columns and its texts. `useListState` holds its state.
 */
export function ListPage<Row extends { id: string }, Filters>(props: ListPageProps<Row, Filters>) {
  const { heading, texts, note, actions, sheetExtra, toolbar, selection, bulkBar, children } = props
  const { filters, fields, onApply, data } = props.state
  const isPhone = useIsPhone()
  const applied = appliedFilters(fields, filters, onApply)
  const search = fields.find(({ name }) => name === 'search')?.control?.(filters)
  const otherFields = fields.filter(({ name, control }) => control && !(search && name === 'search'))
  return (
    <>
      {typeof heading === 'string' ? <h1 className="sr-only">{heading}</h1> : heading}
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) => onApply(readControls(fields, field))}
        count={data.count}
        one={texts.one}
        note={note}
        actions={
          isPhone || 'render' in props.rows ? (
            actions
          ) : (
            <>
              <ListTableMenu rows={props.rows} data={data} />
              {actions}
            </>
          )
        }
        {...(search && { search })}
        applied={otherFields.filter(({ nameOf }) => nameOf(filters) !== '').length}
        onClear={() => onApply(clearedFilters(otherFields))}
        sheetExtra={sheetExtra}
      >
        {otherFields.length === 0
          ? null
          : otherFields.map(({ name, control }) => <Fragment key={name}>{control?.(filters)}</Fragment>)}
      </FilterBar>
      {toolbar}
      <ListStates
        data={data}
        texts={texts}
        rows={props.rows}
        empty={props.empty}
        applied={applied}
        onClearAll={() => onApply(clearedFilters(fields))}
      />
      {selection && selection.things.size > 0 ? bulkBar?.(selection) : null}
      {children}
    </>
  )
}

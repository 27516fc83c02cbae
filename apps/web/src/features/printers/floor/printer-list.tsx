import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Plus, Printer as PrinterIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CardGrid, CardGridSkeleton } from '@/components/card-grid.tsx'
import type { GridLayout } from '@/components/virtual-rows.tsx'
import {
  choiceFilter,
  type ListFilters,
  orderFilter,
  searchFilter,
  useListState,
} from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts, type ShownRows } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Skeleton, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { AddPrinterDialog } from '../printer-forms/add-printer-dialog.tsx'
import { STATE_DISPLAY } from '@/components/production/printer-states.ts'
import {
  type FloorSort,
  FLOOR_SORTS,
  FLOOR_STATES,
  type PrinterAddresses,
  type PrinterFilters,
  readFilters,
  USUAL_SORT,
  withFilters,
  withPrinter,
  withTrash,
} from '../printers-address.ts'
import { needyPrintersQuery, printerListQuery } from '../printers.queries.ts'
import { PrinterCard } from './printer-card.tsx'
import { useSteadyOrder } from './use-steady-order.ts'
import { t } from '@/lib/i18n/messages.ts'

const FIELDS: ListFilters<PrinterFilters> = [
  searchFilter(t('Search name, model or code')),
  choiceFilter({
    name: 'state',
    label: t('State'),
    any: t('Any state'),
    clearLabel: t('Clear state'),
    values: FLOOR_STATES,
    labelOf: (state) => (state === 'needs_person' ? t('Needs a person') : STATE_DISPLAY[state].label),
    className: 'w-40',
  }),
  orderFilter({
    name: 'sort',
    label: t('Order'),
    values: FLOOR_SORTS,
    labelOf: (sort: FloorSort) => (sort === 'name' ? t('By name') : t('Needs attention first')),
    usual: USUAL_SORT,
    className: 'w-48',
  }),
]

const TEXTS: ListTexts = {
  name: t('The list of printers'),
  one: 'printer',
  loading: t('Loading the printers'),
  noMatches: t('No printers found'),
}

/** The floor: one card for each printer, with its current print and its next job. */
export function PrinterList({ addresses }: { addresses: PrinterAddresses }) {
  const state = useListState({
    read: readFilters,
    write: withFilters,
    fields: FIELDS,
    query: printerListQuery,
  })
  const { params, filters, data } = state
  const needy = useQuery(needyPrintersQuery)
  const [isAdding, setIsAdding] = useState(false)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  return (
    <ListPage
      heading={t('Printers')}
      state={state}
      texts={TEXTS}
      note={
        <>
          {needy.data?.total ? (
            <>
              {' · '}
              <Link
                to={`?${withFilters(params, { ...filters, state: 'needs_person' })}`}
                className="link font-semibold"
              >
                {t('{total, plural, one {# needs a person} other {# need a person}}', {
                  total: needy.data.total,
                })}
              </Link>
            </>
          ) : null}
          {' · '}
          <Link to={addresses.queue} className="link">
            {t('Print Queue')}
          </Link>
          {' · '}
          <Link to={`?${withTrash(params, true)}`} className="link">
            {t('Trash')}
          </Link>
        </>
      }
      actions={
        <>
          <RefreshButton queries={[data.list, needy]} />
          {canChange ? (
            <MainAction
              label={t('Add Printer')}
              icon={<Plus size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setIsAdding(true)}
            />
          ) : null}
        </>
      }
      empty={{
        icon: PrinterIcon,
        title: t('No printers yet'),
        text: t(
          'Each printer gets a card with its job, progress and next job. A printer without a network works too: a person presses Start and Done.',
        ),
        actions: canChange ? (
          <Button onClick={() => setIsAdding(true)}>{t('Add your first printer')}</Button>
        ) : null,
      }}
      rows={{
        skeleton: <Loading />,
        render: (shown) => (
          <>
            <h2 className="sr-only">{t('Machines')}</h2>
            <Cards shown={shown} listKey={JSON.stringify(filters)} params={params} addresses={addresses} />
          </>
        ),
      }}
    >
      {isAdding ? <AddPrinterDialog onClose={() => setIsAdding(false)} /> : null}
    </ListPage>
  )
}

interface CardsProps {
  shown: ShownRows<Printer>
  /** Changes with the filters and the order of the list. */
  listKey: string
  params: URLSearchParams
  addresses: PrinterAddresses
}

function Cards({ shown, listKey, params, addresses }: CardsProps) {
  const { items, handlers } = useSteadyOrder(shown.items, { listKey, groupOf })
  return (
    <div {...handlers}>
      <CardGrid {...shown} items={items} label={t('Printers')} layoutOf={floorLayout}>
        {(printer) => (
          <PrinterCard printer={printer} to={`?${withPrinter(params, printer.id)}`} addresses={addresses} />
        )}
      </CardGrid>
    </div>
  )
}

/** Cards are sorted again only if this changes for one of them, not with each minute of a print. */
const groupOf = ({ name, state, needs_person: need }: Printer): string => `${state} ${need} ${name}`

const CARD_WIDTH = 340
const GAP = 16

const floorLayout = (width: number, isPhone: boolean): GridLayout => ({
  columns: isPhone ? 1 : Math.max(1, Math.floor((width + GAP) / (CARD_WIDTH + GAP))),
  gap: isPhone ? 12 : GAP,
  estimatedHeight: 238,
})

const Loading = () => (
  <CardGridSkeleton label={TEXTS.loading} layoutOf={floorLayout} countOf={({ columns }) => columns * 2}>
    {({ estimatedHeight }) => (
      <div
        className="flex gap-3.5 rounded-card border border-line bg-surface p-3.5"
        style={{ height: estimatedHeight }}
      >
        <Skeleton className="size-20" />
        <SkeletonText bars={['h-4 w-2/3', 'mt-3 h-3 w-4/5']} />
      </div>
    )}
  </CardGridSkeleton>
)

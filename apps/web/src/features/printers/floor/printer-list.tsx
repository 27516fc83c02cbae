import { PRINTER_STATES } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import { Plus, Printer as PrinterIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CardGrid, CardGridSkeleton } from '@/components/card-grid.tsx'
import type { GridLayout } from '@/components/virtual-rows.tsx'
import { choiceFilter, type ListFilters, searchFilter, useListState } from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Skeleton, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { AddPrinterDialog } from '../printer-forms/add-printer-dialog.tsx'
import { STATE_DISPLAY } from '../printer-labels.ts'
import {
  type PrinterAddresses,
  type PrinterFilters,
  readFilters,
  withFilters,
  withPrinter,
  withTrash,
} from '../printers-address.ts'
import { printerListQuery } from '../printers.queries.ts'
import { PrinterCard } from './printer-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

const FIELDS: ListFilters<PrinterFilters> = [
  searchFilter(t('Search name, model or code')),
  choiceFilter({
    name: 'state',
    label: t('State'),
    any: t('Any state'),
    clearLabel: t('Clear state'),
    values: PRINTER_STATES,
    labelOf: (state) => STATE_DISPLAY[state].label,
    className: 'w-40',
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
  const { params, data } = state
  const [isAdding, setIsAdding] = useState(false)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  return (
    <ListPage
      heading={t('Printers')}
      state={state}
      texts={TEXTS}
      note={
        <>
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
          <RefreshButton queries={[data.list]} />
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
            <CardGrid {...shown} label={t('Printers')} layoutOf={floorLayout}>
              {(printer) => (
                <PrinterCard
                  printer={printer}
                  to={`?${withPrinter(params, printer.id)}`}
                  addresses={addresses}
                />
              )}
            </CardGrid>
          </>
        ),
      }}
    >
      {isAdding ? <AddPrinterDialog onClose={() => setIsAdding(false)} /> : null}
    </ListPage>
  )
}

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

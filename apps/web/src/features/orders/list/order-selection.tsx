import { MAX_BULK_ORDERS, type OrderBulkAction, bulkOrders } from '@pegasus/contracts/orders/bulk-orders'
import type { Order } from '@pegasus/contracts/orders/orders'
import { getPackingSlips } from '@pegasus/contracts/orders/papers'
import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileText, PackageCheck, Truck } from 'lucide-react'
import type { Column } from '@/components/data-table.tsx'
import { SelectionAction, SelectionBar } from '@/components/selection-bar.tsx'
import { toastError } from '@/components/toast-error.ts'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useBulkDelete } from '@/components/use-bulk-delete.ts'
import { type Selection, useSelection } from '@/components/use-selection.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatMoney, formatNumberOf } from '@/lib/format/format.ts'
import { callApi, callForBytes } from '@/lib/http/api.ts'
import { paperHere } from '../order-page/use-order-papers.ts'
import { ORDERS_KEY } from '../orders.queries.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

export const useOrderSelection = (): Selection<Order> => useSelection<Order>('order', MAX_BULK_ORDERS)

const runBulk = (ids: string[], action: OrderBulkAction): Promise<BulkResult> =>
  callApi(bulkOrders, { body: { ids, action } })

/** The boxes that select orders. */
export const tickColumn = (selection: Selection<Order>, orders: readonly Order[]): Column<Order> => {
  const ticked = orders.filter(({ id }) => selection.things.has(id)).length
  return {
    id: 'tick',
    head: (
      <Checkbox
        label="Select all listed orders"
        isLabelHidden
        checked={ticked > 0 && ticked === orders.length}
        isMixed={ticked > 0 && ticked < orders.length}
        onChange={() => selection.toggleAll(orders)}
        className="-m-2 p-2"
      />
    ),
    track: '16px',
    cell: (order) => (
      <Checkbox
        label={`Select ${order.order_number}`}
        isLabelHidden
        checked={selection.things.has(order.id)}
        onChange={() => selection.toggle(order)}
        // Above the row's link, which comes later in the document.
        className="relative z-1 -m-2 p-2"
      />
    ),
  }
}

/** Actions for the selected orders. */
export function OrderSelectionBar({ selection }: { selection: Selection<Order> }) {
  const client = useQueryClient()
  const ids = [...selection.things.keys()]
  const refresh = () => {
    for (const key of [ORDERS_KEY, 'inventory', 'stats']) void client.invalidateQueries({ queryKey: [key] })
  }
  const deletion = useBulkDelete({
    selection,
    one: 'order',
    home: 'list',
    remove: (all) => runBulk(all, 'delete'),
    restore: (all) => runBulk(all, 'restore'),
    refresh,
  })
  const run = useMutation({
    mutationFn: ({ action }: { action: OrderBulkAction; done: string }) => runBulk(ids, action),
    onSuccess: ({ changed, failed: [first, ...others] }, { done }) => {
      selection.keep([first, ...others].flatMap((each) => (each ? [each.id] : [])))
      if (changed.length > 0) toast({ title: `${formatNumberOf(changed.length, 'order')} ${done}` })
      if (first)
        toast({ title: `${formatNumberOf(others.length + 1, 'order')} not ${done}: ${first.detail}` })
    },
    onError: toastError,
    onSettled: refresh,
  })
  const slips = useMutation({
    mutationFn: async () => {
      const answer = await callForBytes(getPackingSlips, { body: { ids, paper: paperHere() } })
      saveFile(await answer.blob(), 'packing-slips.pdf')
    },
    onError: toastError,
  })
  const isRunning = (action: OrderBulkAction) => run.isPending && run.variables.action === action
  return (
    <SelectionBar
      selection={selection}
      one="order"
      nameOf={(order) => order.order_number}
      sum={formatMoney([...selection.things.values()].reduce((sum, order) => sum + order.total_amount, 0))}
      deletion={deletion}
    >
      <SelectionAction
        icon={<PackageCheck {...ICON} />}
        isPending={isRunning('reserve')}
        onClick={() => run.mutate({ action: 'reserve', done: 'reserved' })}
      >
        Reserve
      </SelectionAction>
      <SelectionAction
        icon={<FileText {...ICON} />}
        isPending={slips.isPending}
        onClick={() => slips.mutate()}
      >
        Packing slips
      </SelectionAction>
      <SelectionAction
        icon={<Truck {...ICON} />}
        isPending={isRunning('ship')}
        onClick={() => run.mutate({ action: 'ship', done: 'shipped' })}
      >
        Ship
      </SelectionAction>
    </SelectionBar>
  )
}

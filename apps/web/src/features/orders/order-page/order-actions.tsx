import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import {
  Ban,
  CheckCheck,
  Ellipsis,
  FileText,
  type LucideIcon,
  PackageCheck,
  PackageOpen,
  Pause,
  ScanQrCode,
  Pencil,
  Tag,
  Trash2,
  Truck,
  Undo2,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { withParams } from '@/lib/browser/address-state.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { EditOrderDialog } from '../dialogs/edit-order-dialog.tsx'
import type { Picked } from '../dialogs/picked.ts'
import { ReturnDialog } from '../dialogs/return-dialog.tsx'
import { ShipDialog } from '../dialogs/ship-dialog.tsx'
import { useOrderPapers } from './use-order-papers.ts'
import { useOrderActions } from './use-order-actions.ts'

/** The scanner comes with it, which no other part of an order needs. */
const PickDialog = lazy(async () => ({ default: (await import('../dialogs/pick-dialog.tsx')).PickDialog }))

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

type OpenDialog = 'pick' | 'ship' | 'return' | 'edit' | 'cancel' | 'complete'

/** The sum over the pieces of an order; a set counts its parts. */
const sum = (order: Order, of: (line: OrderLine | SetPart) => number): number =>
  pieceLines(order.items).reduce((total, line) => total + of(line), 0)

/**
 * What can be done with an order now; the most likely step is a button, and the others are in a menu. Renders nothing for
 * people who cannot change orders.
 */
export function OrderActions({ order, onRemove }: { order: Order; onRemove: () => void }) {
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const actions = useOrderActions(order)
  const papers = useOrderPapers(order)
  const [params, setParams] = useSearchParams()
  // The address can ask for the dialog, such as one from the command palette.
  const [chosen, setOpen] = useState<OpenDialog | null>(null)
  const isAsked = params.get('do') === 'pick' && isOpenOrder(order.status)
  const open = chosen ?? (isAsked ? 'pick' : null)
  const closePick = (next: OpenDialog | null) => {
    setOpen(next)
    if (isAsked) setParams(withParams(params, { do: null }), { replace: true })
  }
  const [picked, setPicked] = useState<Picked>()
  const close = () => {
    setOpen(null)
    setPicked(undefined)
  }
  if (!canChange) return null
  const isOpen = isOpenOrder(order.status)
  const left = sum(order, (line) => line.quantity - line.shipped_quantity)
  const inStock = sum(order, (line) => line.allocated_quantity)
  const reserved = sum(order, (line) => line.reserved_quantity)
  const returnable = sum(order, (line) => line.shipped_quantity - line.returned_quantity)
  const canReserve = isOpen && inStock > 0
  const isSomethingThere = reserved + inStock > 0 || order.items.some((line) => line.is_ignored)
  const isShippingNext = isOpen && left > 0 && isSomethingThere && (order.ready_to_pack || reserved > 0)
  const item = (label: string, Icon: LucideIcon, run: () => void, isDanger = false) => (
    <MenuItem icon={<Icon {...ICON} />} isDanger={isDanger} onSelect={run}>
      {label}
    </MenuItem>
  )
  return (
    <>
      {canReserve ? (
        <Button
          variant={isShippingNext ? 'secondary' : 'primary'}
          icon={<PackageCheck {...ICON} />}
          isPending={actions.isPending}
          onClick={actions.reserve}
        >
          Reserve {formatNumberOf(inStock, 'piece')}
        </Button>
      ) : null}
      {isShippingNext ? (
        <Button icon={<ScanQrCode {...ICON} />} onClick={() => setOpen('pick')}>
          Pick
        </Button>
      ) : null}
      {isShippingNext ? (
        <Button variant="primary" icon={<Truck {...ICON} />} onClick={() => setOpen('ship')}>
          Ship
        </Button>
      ) : null}
      {order.status === 'on_hold' ? (
        <Button variant="primary" isPending={actions.isPending} onClick={actions.resume}>
          Resume
        </Button>
      ) : null}
      <DropdownMenu
        trigger={
          <IconButton label={`More for ${order.order_number}`}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {item('Edit', Pencil, () => setOpen('edit'))}
        {left > 0 ? item('Packing slip', FileText, () => papers.packingSlip()) : null}
        {order.shipping_address ? item('Address label', Tag, papers.addressLabel) : null}
        {isOpen && left > 0 && !isShippingNext ? item('Pick', ScanQrCode, () => setOpen('pick')) : null}
        {isOpen && left > 0 && !isShippingNext ? item('Ship', Truck, () => setOpen('ship')) : null}
        {reserved > 0 ? item('Release reserved pieces', PackageOpen, actions.release) : null}
        {returnable > 0 ? item('Take pieces back', Undo2, () => setOpen('return')) : null}
        {isOpen ? item('Hold', Pause, actions.hold) : null}
        {isFinishedOrder(order.status) ? null : (
          <>
            {item('Complete without the rest', CheckCheck, () => setOpen('complete'))}
            <MenuSeparator />
            {item('Cancel order', Ban, () => setOpen('cancel'), true)}
          </>
        )}
        {returnable === 0 ? item('Delete', Trash2, () => void actions.remove(onRemove), true) : null}
      </DropdownMenu>
      {open === 'pick' ? (
        <Suspense>
          <PickDialog
            order={order}
            onClose={() => closePick(null)}
            onPicked={(pieces) => {
              setPicked(pieces)
              closePick('ship')
            }}
          />
        </Suspense>
      ) : null}
      {open === 'ship' ? <ShipDialog order={order} picked={picked} onClose={close} /> : null}
      {open === 'return' ? <ReturnDialog order={order} onClose={() => setOpen(null)} /> : null}
      {open === 'edit' ? <EditOrderDialog order={order} onClose={() => setOpen(null)} /> : null}
      {open === 'cancel' || open === 'complete' ? (
        <EndDialog
          order={order}
          action={open}
          left={left}
          reserved={reserved}
          onConfirm={actions[open]}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}

interface EndDialogProps {
  order: Order
  action: 'cancel' | 'complete'
  left: number
  reserved: number
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an order ends: that is not undone with a click. */
function EndDialog({ order, action, left, reserved, onConfirm, onClose }: EndDialogProps) {
  const isCancel = action === 'cancel'
  const freed = reserved > 0 ? ` ${formatNumberOf(reserved, 'reserved piece')} become free.` : ''
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={isCancel ? `Cancel ${order.order_number}?` : `Complete ${order.order_number}?`}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant={isCancel ? 'danger' : 'primary'}
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {isCancel ? 'Cancel order' : 'Complete order'}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {isCancel
          ? `The order ends, and nothing more is shipped for it.${freed} Print jobs for it stay in the queue until you cancel them.`
          : `${left > 0 ? `${formatNumberOf(left, 'piece')} will not be shipped.` : 'Everything is shipped.'}${freed}`}
      </p>
    </Dialog>
  )
}

import { type OrderStep, orderSteps } from '@pegasus/contracts/orders/order-steps'
import { type Order, type OrderLine, type SetPart, pieceLines } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { isFinishedOrder, isOpenOrder } from '@pegasus/contracts/statuses'
import {
  Ban,
  CheckCheck,
  Ellipsis,
  FileText,
  ListOrdered,
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
import { Button, type ButtonProps } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Kbd } from '@/components/ui/display/kbd.tsx'
import { withParams } from '@/lib/browser/address-state.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { useShortcuts } from '@/lib/browser/use-shortcuts.ts'
import { formatCount } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { EditLinesDialog } from '../dialogs/edit-lines-dialog.tsx'
import { EditOrderDialog } from '../dialogs/edit-order-dialog.tsx'
import { EndOrderDialog } from '../dialogs/end-order-dialog.tsx'
import type { Picked } from '@/components/picking/picked.ts'
import { ReserveDialog } from '../dialogs/reserve-dialog.tsx'
import { ReturnDialog } from '../dialogs/return-dialog.tsx'
import { WaitingJobsDialog } from '../dialogs/waiting-jobs-dialog.tsx'
import { ShipDialog } from '../dialogs/ship-dialog.tsx'
import { isSlipNext } from './next-step.ts'
import { useOrderPapers } from './use-order-papers.ts'
import { useOrderActions } from './use-order-actions.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Loaded on demand, because only this dialog needs the scanner. */
const PickDialog = lazy(async () => ({ default: (await import('../picking/pick-dialog.tsx')).PickDialog }))

type OpenDialog =
  | 'pick'
  | 'ship'
  | 'reserve'
  | 'release'
  | 'return'
  | 'edit'
  | 'lines'
  | 'cancel'
  | 'complete'

/** The dialogs that a URL can open. */
const STEP_DIALOGS = ['pick', 'ship', 'reserve'] as const satisfies readonly (OpenDialog & OrderStep)[]

/** A button with its keyboard shortcut, which is shown on devices that are likely to have a keyboard. */
const KeyButton = ({ name, children, ...button }: ButtonProps & { name: string }) => (
  <Button {...button} aria-keyshortcuts={name.toLowerCase()}>
    {children}
    <span className="-me-1 phone:hidden touch:hidden" aria-hidden>
      <Kbd>{name}</Kbd>
    </span>
  </Button>
)

/** Adds up a number over all lines of an order. For a set, its parts are counted instead. */
const sum = (order: Order, of: (line: OrderLine | SetPart) => number): number =>
  pieceLines(order.items).reduce((total, line) => total + of(line), 0)

/**
 * The possible actions on an order. The most likely action is a button, and the others are in a menu. Renders nothing
 * for people who cannot change orders.
 */
export function OrderActions({ order, onRemove }: { order: Order; onRemove: () => void }) {
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const actions = useOrderActions(order)
  const papers = useOrderPapers(order)
  const isPhone = useIsPhone()
  const [params, setParams] = useSearchParams()
  const isOpen = isOpenOrder(order.status)
  // A URL can open the dialog of a step, for example from the command palette or the scan box.
  const [chosen, setOpen] = useState<OpenDialog | null>(null)
  const asked = isOpen ? STEP_DIALOGS.find((step) => step === params.get('do')) : undefined
  const openDialog = chosen ?? asked ?? null
  const goTo = (next: OpenDialog | null) => {
    setOpen(next)
    if (asked) setParams(withParams(params, { do: null }), { replace: true })
  }
  const [picked, setPicked] = useState<Picked>()
  const [waitingJobs, setWaitingJobs] = useState<readonly string[]>([])
  const close = () => {
    goTo(null)
    setPicked(undefined)
  }
  const unshipped = sum(order, (line) => line.quantity - line.shipped_quantity)
  const inStock = sum(order, (line) => line.allocated_quantity)
  const hasSlip = order.shipments.length > 0 || (unshipped > 0 && !isFinishedOrder(order.status))
  const reserved = sum(order, (line) => line.reserved_quantity)
  const returnable = sum(order, (line) => line.shipped_quantity - line.returned_quantity)
  const shipped = sum(order, (line) => line.shipped_quantity)
  const steps = orderSteps(order)
  const canReserve = steps.includes('reserve')
  const canPick = canChange && isOpen && unshipped > 0
  useShortcuts({
    r: canChange && canReserve && !actions.isPending ? actions.reserve : null,
    p: canPick ? () => setOpen('pick') : null,
    s: canPick ? () => setOpen('ship') : null,
    e: canChange ? () => setOpen('edit') : null,
    h: !canChange ? null : isOpen ? actions.hold : order.status === 'on_hold' ? actions.resume : null,
  })
  if (!canChange) return null
  const isShippingNext = steps.includes('ship')
  const isSlipFirst = isSlipNext(order)
  const item = (label: string, Icon: LucideIcon, run: () => void, isDanger = false) => (
    <MenuItem icon={<Icon {...ICON} />} isDanger={isDanger} onSelect={run}>
      {label}
    </MenuItem>
  )
  return (
    <>
      {canReserve ? (
        <KeyButton
          name="R"
          variant={order.ready_to_pack ? 'secondary' : 'primary'}
          icon={<PackageCheck {...ICON} />}
          isPending={actions.isPending}
          onClick={actions.reserve}
        >
          {/* On a phone, all buttons fit into one row only if this label is short. */}
          <span>
            {t('Reserve {inStock}', { inStock: formatCount(inStock) })}
            <span className="phone:sr-only">
              {' '}
              {t('{inStock, plural, one {piece} other {pieces}}', { inStock })}
            </span>
          </span>
        </KeyButton>
      ) : null}
      {isShippingNext ? (
        // Picking comes first on a phone, because people carry the phone along the shelves.
        <KeyButton
          name="P"
          variant={order.ready_to_pack && isPhone ? 'primary' : 'secondary'}
          icon={<ScanQrCode {...ICON} />}
          className="phone:-order-1"
          onClick={() => setOpen('pick')}
        >
          {t('Pick')}
        </KeyButton>
      ) : null}
      {isShippingNext ? (
        // Shipping a part of an order is a deliberate exception, so the button stands out only once all
        // pieces are available.
        <KeyButton
          name="S"
          variant={order.ready_to_pack && !isPhone ? 'primary' : 'secondary'}
          icon={<Truck {...ICON} />}
          onClick={() => setOpen('ship')}
        >
          {t('Ship')}
        </KeyButton>
      ) : null}
      {steps.includes('resume') ? (
        <KeyButton name="H" variant="primary" isPending={actions.isPending} onClick={actions.resume}>
          {t('Resume')}
        </KeyButton>
      ) : null}
      {isSlipFirst ? (
        <Button icon={<FileText {...ICON} />} onClick={() => papers.packingSlip()}>
          {t('Packing slip')}
        </Button>
      ) : null}
      <DropdownMenu
        trigger={
          <IconButton label={t('More for {order_number}', { order_number: order.order_number })}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {item(t('Edit'), Pencil, () => setOpen('edit'))}
        {isFinishedOrder(order.status) ? null : item(t('Change lines'), ListOrdered, () => setOpen('lines'))}
        {hasSlip && !isSlipFirst ? item(t('Packing slip'), FileText, () => papers.packingSlip()) : null}
        {order.shipping_address ? item(t('Address label'), Tag, papers.addressLabel) : null}
        {isOpen && unshipped > 0 && !isShippingNext
          ? item(t('Pick'), ScanQrCode, () => setOpen('pick'))
          : null}
        {isOpen && unshipped > 0 && !isShippingNext ? item(t('Ship'), Truck, () => setOpen('ship')) : null}
        {canReserve ? item(t('Reserve some pieces'), PackageCheck, () => setOpen('reserve')) : null}
        {reserved > 0 ? item(t('Release some pieces'), PackageOpen, () => setOpen('release')) : null}
        {reserved > 0 ? item(t('Release reserved pieces'), PackageOpen, actions.release) : null}
        {returnable > 0 ? item(t('Take pieces back'), Undo2, () => setOpen('return')) : null}
        {isOpen ? item(t('Hold'), Pause, actions.hold) : null}
        {isFinishedOrder(order.status) ? null : (
          <>
            {item(t('Complete without the rest'), CheckCheck, () => setOpen('complete'))}
            <MenuSeparator />
            {item(t('Cancel order'), Ban, () => setOpen('cancel'), true)}
          </>
        )}
        {shipped === 0 ? item(t('Delete'), Trash2, () => void actions.remove(onRemove), true) : null}
      </DropdownMenu>
      {openDialog === 'pick' ? (
        <Suspense>
          <PickDialog
            order={order}
            onClose={close}
            onPicked={(pieces) => {
              setPicked(pieces)
              goTo('ship')
            }}
          />
        </Suspense>
      ) : null}
      {openDialog === 'ship' ? <ShipDialog order={order} picked={picked} onClose={close} /> : null}
      {openDialog === 'return' ? <ReturnDialog order={order} onClose={() => setOpen(null)} /> : null}
      {openDialog === 'edit' ? <EditOrderDialog order={order} onClose={() => setOpen(null)} /> : null}
      {openDialog === 'lines' ? <EditLinesDialog order={order} onClose={() => setOpen(null)} /> : null}
      {openDialog === 'reserve' || openDialog === 'release' ? (
        <ReserveDialog order={order} direction={openDialog} onClose={close} />
      ) : null}
      {waitingJobs.length > 0 ? (
        <WaitingJobsDialog what={order.order_number} jobs={waitingJobs} onClose={() => setWaitingJobs([])} />
      ) : null}
      {openDialog === 'cancel' || openDialog === 'complete' ? (
        <EndOrderDialog
          order={order}
          action={openDialog}
          left={unshipped}
          reserved={reserved}
          onConfirm={() => (openDialog === 'cancel' ? actions.cancel : actions.complete)(setWaitingJobs)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  )
}

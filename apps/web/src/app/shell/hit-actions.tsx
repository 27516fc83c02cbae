import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { OrderAction, SearchHit } from '@pegasus/contracts/search'
import { type LucideIcon, PackageCheck, Play, Printer, ScanQrCode, Truck } from 'lucide-react'
import { useQueuePrints } from '../../features/orders/order-page/use-queue-prints.ts'
import { resumeAction, useOrderAction } from '../../features/orders/order-page/use-order-action.ts'
import { useCurrentUser } from '../../lib/session/session.ts'
import { orderStepAddress, printAddress } from '../tabs.ts'
import { PaletteItem } from './palette-item.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const

interface HitActionsProps {
  hit: SearchHit
  /** Whether the hit is the best of its kind. */
  isFirst: boolean
  /** Returns a click handler that closes the palette and runs the action. */
  onRun: (action: () => void) => () => void
  /** Returns a click handler that closes the palette and opens the address. */
  onGo: (address: string) => () => void
}

/**
 * Shows the actions that are possible for a search hit now: the steps of an order, or a print of an item. The best order
 * has all its actions and any other order the most likely one, so that the list stays short. Viewers see none.
 */
export function HitActions(props: HitActionsProps) {
  const { hit, isFirst, onGo } = props
  if (!isEmployeeOrHigher(useCurrentUser().role)) return null
  if (hit.kind === 'order') return <OrderActions {...props} />
  if (hit.kind === 'item' && isFirst)
    return (
      <PaletteItem
        value={`print ${hit.id}`}
        onSelect={onGo(printAddress({ itemId: hit.id, quantity: 1 }))}
        isIndented
      >
        <Printer {...ICON} />
        <span className="truncate">{rich('Print {title}', { title: <bdi>{hit.title}</bdi> })}</span>
      </PaletteItem>
    )
  return null
}

const ORDER_ACTIONS: Readonly<Record<OrderAction, { Icon: LucideIcon; label: (title: string) => string }>> = {
  resume: { Icon: Play, label: (title) => t('Resume {title}', { title }) },
  print: { Icon: Printer, label: (title) => t('Print what is missing for {title}', { title }) },
  pick: { Icon: ScanQrCode, label: (title) => t('Pick {title}', { title }) },
  ship: { Icon: Truck, label: (title) => t('Ship {title}', { title }) },
  reserve: { Icon: PackageCheck, label: (title) => t('Reserve pieces for {title}', { title }) },
}

/** The actions on an order, the most likely first. Missing pieces are printed before the other pieces are picked. */
const BY_LIKELIHOOD = Object.keys(ORDER_ACTIONS) as OrderAction[]

function OrderActions({ hit: { id, title, actions }, isFirst, onRun, onGo }: HitActionsProps) {
  const { mutate: queuePrints } = useQueuePrints()
  const { run } = useOrderAction()
  const possible = BY_LIKELIHOOD.filter((action) => actions.includes(action))
  const select = (action: OrderAction) =>
    action === 'print'
      ? onRun(() => queuePrints({ id, order_number: title }))
      : action === 'resume'
        ? onRun(() => run(resumeAction({ id, order_number: title })))
        : onGo(orderStepAddress(id, action))
  return (isFirst ? possible : possible.slice(0, 1)).map((action) => {
    const { Icon, label } = ORDER_ACTIONS[action]
    return (
      <PaletteItem key={action} value={`${action} ${id}`} onSelect={select(action)} isIndented>
        <Icon {...ICON} />
        <span className="truncate">{label(title)}</span>
      </PaletteItem>
    )
  })
}

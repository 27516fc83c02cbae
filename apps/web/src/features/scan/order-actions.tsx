import type { ScanAction, ScannedOf } from '@pegasus/contracts/labels/scan'
import { PackageCheck, ScanQrCode, Truck, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { OrderLines } from './order-lines.tsx'
import { resumeScannedOrder } from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The steps that the order's page asks about in a dialog. Picking comes first, because people scan at the shelves. */
const DIALOG_STEPS = {
  pick: { label: t('Pick'), Icon: ScanQrCode },
  ship: { label: t('Ship'), Icon: Truck },
  reserve: { label: t('Reserve'), Icon: PackageCheck },
} as const satisfies Partial<Record<ScanAction, { label: string; Icon: LucideIcon }>>
export type OrderDialogStep = keyof typeof DIALOG_STEPS

const STEPS = Object.keys(DIALOG_STEPS) as OrderDialogStep[]

interface OrderActionsProps {
  order: ScannedOf<'order'>
  scan: Scan
  /** Returns the address that opens the order, with the dialog of a step. */
  addressOf: (step: OrderDialogStep) => string
  onLeave: () => void
}

/** The steps that are possible for a scanned order. The first one stands out. */
export function OrderActions({ order, scan, addressOf, onLeave }: OrderActionsProps) {
  const steps = STEPS.filter((step) => order.actions.includes(step))
  return (
    <>
      <p>
        <StatusBadge status={order.facts.status} />
      </p>
      <OrderLines order={order} />
      {steps.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {steps.map((step, index) => {
            const { label, Icon } = DIALOG_STEPS[step]
            return (
              <Link
                key={step}
                to={addressOf(step)}
                className={buttonClass({ variant: index === 0 ? 'primary' : 'secondary' })}
                onClick={onLeave}
              >
                <Icon {...ICON} />
                {label}
              </Link>
            )
          })}
        </div>
      ) : null}
      {order.actions.includes('resume') ? (
        <Button
          variant="primary"
          className="self-start"
          disabled={scan.isBusy}
          onClick={() => void scan.act(() => resumeScannedOrder(order))}
        >
          {t('Resume')}
        </Button>
      ) : null}
    </>
  )
}

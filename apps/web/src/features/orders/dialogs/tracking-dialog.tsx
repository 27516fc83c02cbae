import { type TrackingBody, trackingBody } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { type FormText, differing, pickFields, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useOrderActions } from '../order-page/use-order-actions.ts'
import { type TrackingField, TrackingFields } from './tracking-fields.tsx'

interface TrackingDialogProps {
  order: Order
  shipment: Order['shipments'][number]
  onClose: () => void
}

/** Adds or corrects the carrier, number and link of a shipment. Only the changed fields are sent. */
export function TrackingDialog({ order, shipment, onClose }: TrackingDialogProps) {
  const actions = useOrderActions(order)
  const start: FormText<TrackingField> = {
    carrier: shipment.carrier ?? '',
    tracking_number: shipment.tracking_number ?? '',
    tracking_url: shipment.tracking_url ?? '',
  }
  const state = useNewForm({
    start,
    read: (form: FormText<TrackingField>) =>
      readResult<TrackingBody, TrackingField>(
        trackingBody.safeParse(pickFields(form, differing(start, form))),
        form,
      ),
    create: async (body) => {
      if (Object.keys(body).length > 0) await actions.changeTracking(shipment, body)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel="Save"
      onClose={onClose}
      title={`Tracking of shipment ${shipment.number}`}
      {...(shipment.told_at && {
        description: 'The shop keeps the tracking that was reported to it. Change it in the shop as well.',
      })}
    >
      <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
        <TrackingFields bind={state.bind} errors={state.errors} />
      </div>
    </FormDialog>
  )
}

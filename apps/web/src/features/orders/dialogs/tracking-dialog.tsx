import { type TrackingBody, changeTracking, trackingBody } from '@pegasus/contracts/orders/order-changes'
import { type Order, getOrder } from '@pegasus/contracts/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { type FormText, pickFields, readResult } from '@/lib/forms/form-merge.ts'
import { amountText, typedNumber } from '@/lib/forms/typed-number.ts'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { orderQuery } from '../orders.queries.ts'
import {
  NO_TRACKING,
  TRACKING_LABELS,
  type TrackingField,
  TrackingFields,
  postageErrors,
} from './tracking-fields.tsx'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

interface TrackingDialogProps {
  order: Order
  shipment: Order['shipments'][number]
  onClose: () => void
}

/** Adds or corrects the carrier, number, link and postage of a shipment. Only the changed fields are sent. */
export function TrackingDialog({ order, shipment, onClose }: TrackingDialogProps) {
  const client = useQueryClient()
  const refresh = useOrderRefresh()
  const formOf = ({ shipments }: Order): FormText<TrackingField> => {
    const saved = shipments.find(({ id }) => id === shipment.id)
    // Somebody may have undone the shipment. The server then refuses the change.
    if (!saved) return NO_TRACKING
    return {
      carrier: saved.carrier ?? '',
      tracking_number: saved.tracking_number ?? '',
      tracking_url: saved.tracking_url ?? '',
      postage_amount: amountText(saved.postage_amount),
    }
  }
  const params = { id: order.id, shipment_id: shipment.id }
  return (
    <EditDialog<TrackingField, Order, TrackingBody>
      title={t('Tracking and postage of shipment {number}', { number: shipment.number })}
      {...(shipment.told_at && {
        description: shipment.sends_changed_tracking
          ? t('The shop gets the changed tracking, and tells the customer.')
          : t('The shop keeps the tracking that was reported to it. Change it in the shop as well.'),
      })}
      labels={TRACKING_LABELS}
      thing={order}
      formOf={formOf}
      read={(form, changed) => {
        const errors = postageErrors(form, order.currency)
        if (errors) return { body: null, errors }
        const { postage_amount: postage, ...fields } = pickFields(form, changed)
        const body = {
          ...fields,
          ...(postage !== undefined && { postage_amount: typedNumber(form.postage_amount) }),
        }
        return readResult(trackingBody.safeParse(body), TRACKING_LABELS)
      }}
      save={({ body, revision }) => callApi(changeTracking, { params, body, headers: ifMatch(revision) })}
      reread={() => callApi(getOrder, { params: { id: order.id } })}
      savedText={() => t('Shipment {number} saved', { number: shipment.number })}
      onSaved={(after) => {
        client.setQueryData(orderQuery(order.id).queryKey, after)
        void refresh('text')
      }}
      onClose={onClose}
    >
      {(fields) => (
        <div className="grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
          <TrackingFields {...fields} currency={order.currency} />
        </div>
      )}
    </EditDialog>
  )
}

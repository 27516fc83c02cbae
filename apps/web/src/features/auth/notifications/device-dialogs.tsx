import {
  getPushDevice,
  type PushDevice,
  replayPushDelivery,
  updatePushDevice,
  type UpdatePushDeviceBody,
  updatePushDeviceBody,
} from '@pegasus/contracts/channels/push-devices'
import { DeliveryLog } from '@/components/delivery-log.tsx'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { type FormText, readResult, type ReadResult } from '@/lib/forms/form-merge.ts'
import {
  QUIET_LABELS,
  type QuietField,
  quietError,
  quietForm,
  quietHoursOf,
} from '@/lib/forms/quiet-hours.ts'
import { callApi, editCalls } from '@/lib/http/api.ts'
import { deviceLogQuery, useDeviceRefresh } from './devices.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface DeviceDialogProps {
  device: PushDevice
  onClose: () => void
}

/** Lists the notifications that were sent to a device, and sends single ones again. */
export function DeviceLogDialog({ device: { id, device }, onClose }: DeviceDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={device}
      description={t('Notifications of the last 30 days')}
      size="lg"
    >
      <DeliveryLog
        query={deviceLogQuery(id)}
        onReplay={(deliveryId) => callApi(replayPushDelivery, { params: { id, delivery_id: deliveryId } })}
        onReplayed={useDeviceRefresh()}
      />
    </Dialog>
  )
}

function readChange(form: FormText<QuietField>): ReadResult<UpdatePushDeviceBody, QuietField> {
  const errors = quietError(form)
  if (errors) return { body: null, errors }
  return readResult(updatePushDeviceBody.safeParse({ quiet_hours: quietHoursOf(form) }), QUIET_LABELS)
}

/** Changes the hours during which a device gets no notifications. */
export function QuietHoursDialog({ device, onClose }: DeviceDialogProps) {
  return (
    <EditDialog
      title={t('Quiet hours of {device}', { device: device.device })}
      thing={device}
      labels={QUIET_LABELS}
      formOf={({ quiet_hours: quiet }) => quietForm(quiet)}
      read={readChange}
      {...editCalls(getPushDevice, updatePushDevice, { id: device.id })}
      savedText={() => t('Quiet hours saved')}
      onSaved={useDeviceRefresh()}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => {
        const { field, input } = formFields({ form, change, errors, hintOf, labels: QUIET_LABELS })
        return (
          <div className="grid grid-cols-2 items-start gap-4">
            <Field {...field('quiet_from', t('Notifications wait until the quiet hours end.'))}>
              <Input {...input('quiet_from')} type="time" />
            </Field>
            <Field {...field('quiet_until')}>
              <Input {...input('quiet_until')} type="time" />
            </Field>
            <Field {...field('time_zone')} className="col-span-full">
              <Input {...input('time_zone')} maxLength={64} />
            </Field>
          </div>
        )
      }}
    </EditDialog>
  )
}

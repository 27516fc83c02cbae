import {
  maintenancePrinterBody,
  type Printer,
  startPrinterMaintenance,
} from '@pegasus/contracts/print-queue/printers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { dayOf, localNoonOf } from '@/lib/format/local-day.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

type MaintenanceField = 'reason' | 'until'

type MaintenanceBody = ReturnType<typeof maintenancePrinterBody.parse>

function readMaintenance({
  reason,
  until,
}: FormText<MaintenanceField>): ReadResult<MaintenanceBody, MaintenanceField> {
  if (until !== '' && until < dayOf(new Date().toISOString()))
    return { body: null, errors: { until: t('Enter today or a later day.') } }
  return readResult(maintenancePrinterBody.safeParse({ reason, until: localNoonOf(until) }), {
    reason,
    until,
  })
}

/** Takes a printer out of use for maintenance. */
export function MaintenanceDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const state = useNewForm({
    start: { reason: '', until: '' },
    read: readMaintenance,
    create: async (body) => {
      const after = await callApi(startPrinterMaintenance, { params: { id: printer.id }, body })
      refresh(after)
      toast({ title: t('{name} is in maintenance', { name: after.name }) })
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Take out of use')}
      onClose={onClose}
      title={t('Maintenance of {name}', { name: printer.name })}
      size="sm"
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t('Reason')}
          error={errors.reason}
          hint={t('Shown with the printer and with jobs that wait for it')}
        >
          <Input {...bind('reason')} maxLength={500} dir="auto" autoFocus placeholder={t('New nozzle')} />
        </Field>
        <Field
          label={t('Until')}
          error={errors.until}
          hint={t('It stays out of use until somebody resumes it')}
        >
          <Input {...bind('until')} type="date" />
        </Field>
      </div>
    </FormDialog>
  )
}

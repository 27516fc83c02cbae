import { createPrinter } from '@pegasus/contracts/print-queue/printers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { EMPTY_PRINTER, readNewPrinter } from './printer-form.ts'
import { PrinterFields } from './printer-fields.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function AddPrinterDialog({ onClose }: { onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const state = useNewForm({
    start: EMPTY_PRINTER,
    read: readNewPrinter,
    create: async (body, headers) => {
      const added = await callApi(createPrinter, { body, headers })
      toast({ title: t('{name} added as {label_code}', { name: added.name, label_code: added.label_code }) })
      refresh(added)
      onClose()
    },
  })
  const { form, change, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Add printer')}
      onClose={onClose}
      title={t('Add Printer')}
      size="lg"
    >
      <PrinterFields form={form} change={change} errors={errors} />
    </FormDialog>
  )
}

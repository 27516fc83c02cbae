import { createPrinter } from '@pegasus/contracts/print-queue/printers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { EMPTY_PRINTER, readNewPrinter } from './printer-form.ts'
import { PrinterFields } from './printer-fields.tsx'

export function AddPrinterDialog({ onClose }: { onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const state = useNewForm({
    start: EMPTY_PRINTER,
    read: readNewPrinter,
    create: async (body, headers) => {
      const added = await callApi(createPrinter, { body, headers })
      toast({ title: `${added.name} added as ${added.label_code}` })
      refresh(added)
      onClose()
    },
  })
  const { form, change, errors } = state
  return (
    <FormDialog state={state} submitLabel="Add printer" onClose={onClose} title="Add Printer" size="lg">
      <PrinterFields form={form} change={change} errors={errors} />
    </FormDialog>
  )
}

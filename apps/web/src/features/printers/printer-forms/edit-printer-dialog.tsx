import { getPrinter, type Printer, updatePrinter } from '@pegasus/contracts/print-queue/printers'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { formOf, PRINTER_LABELS, readPrinterEdit } from './printer-form.ts'
import { PrinterFields } from './printer-fields.tsx'

export function EditPrinterDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { id, name } = printer
  return (
    <EditDialog
      title={`Edit ${name}`}
      size="lg"
      thing={printer}
      formOf={formOf}
      labels={PRINTER_LABELS}
      read={readPrinterEdit}
      save={({ body, revision }) =>
        callApi(updatePrinter, { params: { id }, body, headers: ifMatch(revision) })
      }
      reread={() => callApi(getPrinter, { params: { id } })}
      savedText={(saved) => `${saved.name} saved`}
      onSaved={usePrinterRefresh()}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => (
        <PrinterFields
          form={form}
          change={change}
          errors={errors}
          hintOf={hintOf}
          hasKey={printer.has_api_key}
        />
      )}
    </EditDialog>
  )
}

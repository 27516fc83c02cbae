import { getPrinter, type Printer, updatePrinter } from '@pegasus/contracts/print-queue/printers'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { editCalls } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { PRINTER_EDIT } from './printer-form.ts'
import { PrinterFields } from './printer-fields.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function EditPrinterDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { id, name } = printer
  return (
    <EditDialog
      title={t('Edit {name}', { name })}
      size="lg"
      thing={printer}
      {...PRINTER_EDIT}
      {...editCalls(getPrinter, updatePrinter, { id })}
      savedText={(saved) => t('{name} saved', { name: saved.name })}
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

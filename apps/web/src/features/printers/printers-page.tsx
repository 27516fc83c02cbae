import { useSearchParams } from 'react-router'
import { PrinterList } from './floor/printer-list.tsx'
import { PrinterPage } from './printer-page.tsx'
import { PrinterTrash } from './printer-forms/printer-trash.tsx'
import { isTrashOpen, type PrinterAddresses, withPrinter, withTrash } from './printers-address.ts'

/** The floor with all printers, their trash, or the printer whose id is in the URL. */
export function PrintersPage({ addresses }: { addresses: PrinterAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('printer')
  if (id)
    return <PrinterPage key={id} id={id} backTo={`?${withPrinter(params, null)}`} addresses={addresses} />
  if (isTrashOpen(params)) return <PrinterTrash backTo={`?${withTrash(params, false)}`} />
  return <PrinterList addresses={addresses} />
}

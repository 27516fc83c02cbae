import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { ClearPrinterDialog } from '@/components/printer-dialogs/clear-printer-dialog.tsx'
import { usePrinterRefresh } from '../printers.queries.ts'

/** Clears the bed of a printer. */
export const ClearDialog = ({ printer, onClose }: { printer: Printer; onClose: () => void }) => (
  <ClearPrinterDialog printer={printer} onClear={usePrinterRefresh()} onClose={onClose} />
)

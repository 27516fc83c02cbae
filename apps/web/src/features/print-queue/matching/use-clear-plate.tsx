import { getPrinter } from '@pegasus/contracts/print-queue/printers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClearPrinterDialog } from '@/components/printer-dialogs/clear-printer-dialog.tsx'
import { toastError } from '@/components/toast-error.ts'
import { callApi } from '@/lib/http/api.ts'
import { refreshWaits } from '../optimistic-queue.ts'

/** The dialog that clears the bed of a printer, and the function that opens it with the id of the printer. */
export interface ClearPlate {
  open: (printerId: string) => void
  dialog: ReactNode
}

/**
 * The dialog that clears a bed. The caller renders it outside the rows that open it, because a row disappears when its job
 * is planned or starts, and the typed counts must not disappear with it.
 */
export function useClearPlate(): ClearPlate {
  const client = useQueryClient()
  // The dialog asks for the pieces of the plate that is on the bed now.
  const look = useMutation({
    mutationFn: (id: string) => callApi(getPrinter, { params: { id } }),
    onError: toastError,
  })
  return {
    open: look.mutate,
    dialog: look.data ? (
      <ClearPrinterDialog printer={look.data} onClear={() => refreshWaits(client)} onClose={look.reset} />
    ) : null,
  }
}

import { isPrinterLost } from '@pegasus/contracts/print-queue/lost-prints'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { failQueuedJob } from '@pegasus/contracts/print-queue/steps'
import { type PrintFailure, PrintFailureDialog } from '@/components/printer-dialogs/print-failure-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { callApi } from '@/lib/http/api.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Ends the print on a printer as failed, with the reason and the wasted filament. */
export function FailAtPrinterDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const { current_job: job, name } = printer
  const nowMs = useNow()
  const fail = async (failure: PrintFailure) => {
    const after = await callApi(failQueuedJob, { params: { id: job?.id ?? '' }, body: failure })
    refresh()
    const next =
      after.status === 'pending'
        ? t('. It is printed again')
        : after.status === 'on_hold'
          ? t('. {label_code} is on hold, because it failed three times in a row', {
              label_code: after.label_code,
            })
          : ''
    toast({ title: t('The print on {name} failed: {reason}{next}', { name, reason: failure.reason, next }) })
  }
  return (
    <PrintFailureDialog
      title={t('Failed on {name}', { name })}
      plateId={job?.plate_id}
      lostPieces={isPrinterLost(printer, job?.plate_state, nowMs) ? job?.pieces : undefined}
      filamentHint={t('If empty, the amount that the printer reported')}
      onFail={fail}
      onClose={onClose}
    >
      <p className="mb-4 text-label text-ink-2">
        <bdi>{job?.name}</bdi> <span className="code text-ink-3">{job?.label_code}</span>
      </p>
    </PrintFailureDialog>
  )
}

import {
  clearPrinter,
  clearPrinterBody,
  type ClearPrinterBody,
  type Printer,
} from '@pegasus/contracts/print-queue/printers'
import { useState } from 'react'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { callApi } from '@/lib/http/api.ts'
import { CountFields, type CountField, readCounts } from '../fields/count-fields.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { toast } from '../ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Converts the counts to a request body. Without a plate, there is nothing to count. */
function readClearing(
  form: FormText<CountField>,
  plateId: string | null,
): ReadResult<ClearPrinterBody, CountField> {
  const parsed = clearPrinterBody.safeParse({
    plate_id: plateId,
    ...(plateId !== null && readCounts(form)),
  })
  return readResult(parsed, form)
}

interface ClearPrinterDialogProps {
  printer: {
    id: string
    name: string
    /** Why the bed has to be cleared. */
    state_reason: string | null
    /** The job whose plate is on the bed. */
    current_job: {
      name: string
      label_code: string
      plate_id: string
      pieces: number
      /** Why the pieces have to be checked. */
      note: string | null
    } | null
  }
  /** Called with the cleared printer. */
  onClear: (cleared: Printer) => void
  onClose: () => void
}

/**
 * Clears the bed, and asks how many pieces of the plate are good. Good pieces go into stock. If the plate carries a note,
 * the counts start empty, because nobody knows yet that the pieces are good.
 */
export function ClearPrinterDialog({ printer, onClear, onClose }: ClearPrinterDialogProps) {
  // The next plate can begin while the dialog is open. The dialog is still about the plate that the person has seen.
  const [job] = useState(printer.current_job)
  const [reason] = useState(printer.state_reason)
  const isUnsure = (job?.note ?? null) !== null
  const state = useNewForm({
    start: {
      good_quantity: job && isUnsure ? '' : String(job?.pieces ?? 0),
      rejected_quantity: isUnsure ? '' : '0',
      reason: '',
    },
    read: (form: FormText<CountField>) => readClearing(form, job?.plate_id ?? null),
    create: async (body, headers) => {
      const after = await callApi(clearPrinter, { params: { id: printer.id }, body, headers })
      onClear(after)
      toast({ title: t('{name} is free', { name: after.name }) })
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Plate is off')}
      submitButton={{ autoFocus: !isUnsure }}
      onClose={onClose}
      title={t('Clear {name}', { name: printer.name })}
      size="sm"
    >
      {reason === null ? null : <p className="mb-4">{serverText(reason)}</p>}
      {job ? (
        <div className="grid grid-cols-2 items-start gap-4">
          <p className="col-span-full text-label text-ink-2">
            <bdi>{job.name}</bdi> <span className="code text-ink-3">{job.label_code}</span>
          </p>
          <CountFields
            state={state}
            pieces={job.pieces}
            goodHint={t('Into stock')}
            rejectedHint={t('Of {pieces} on the plate', { pieces: job.pieces })}
          />
        </div>
      ) : (
        <p className="text-ink-2">
          {t('The printer is free for the next job once the plate is off the bed.')}
        </p>
      )}
    </FormDialog>
  )
}

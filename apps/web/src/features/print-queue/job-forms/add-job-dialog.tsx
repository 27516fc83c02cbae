import type { Spool } from '@pegasus/contracts/filament/spools'
import { createPrintJob } from '@pegasus/contracts/print-queue/job-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { currentParams } from '@/lib/browser/address-state.ts'
import { slicesQuery } from '@/components/slices/slices.queries.ts'
import { callApi } from '@/lib/http/api.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { dayOf } from '@/lib/format/local-day.ts'
import { formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { QUEUE_KEY } from '../print-queue.queries.ts'
import { type AddRequest, toJob } from '../print-queue-address.ts'
import { useJobSteps } from '../steps/use-job-steps.ts'
import { JobFields } from './job-fields.tsx'
import { EMPTY_JOB, type JobForm, formAgain, readNewJob, withPart } from './job-form.ts'
import { PartPicker } from './part-picker.tsx'
import { itemToPickQuery, modelToPickQuery, orderToPrintQuery } from './part-picker.queries.ts'
import { type PrintFigures, contradictionOf, figuresOf } from './print-figures.ts'
import { type Printable, printableItem, printableModel } from './printable-models.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AddJobDialogProps {
  /** The initial values, if a link contains any. */
  request: AddRequest
  /** The job that is printed again. Its fields are the initial values. */
  again?: PrintJob
  onClose: () => void
  /** Opens the page of the added job, which may be far down in the queue. */
  onShow: (id: string) => void
}

/** Loads the requested item or model and the order of the job, then opens the form. */
export function AddJobDialog({ request, again, onClose, onShow }: AddJobDialogProps) {
  const item = useQuery(itemToPickQuery(request.itemId))
  const model = useQuery(modelToPickQuery(request.modelId))
  const order = useQuery(orderToPrintQuery(request.orderId))
  // If the requested part does not exist, the form opens without a part.
  if (item.isLoading || model.isLoading || order.isLoading)
    return (
      <Dialog isOpen onClose={onClose} title={again ? t('Print again') : t('Add Job')}>
        <Skeleton className="h-60" />
      </Dialog>
    )
  const part = item.data ? printableItem(item.data) : model.data ? printableModel(model.data) : null
  return (
    <OpenDialog
      request={request}
      {...(again && { again })}
      initial={part}
      order={order.data ?? null}
      onClose={onClose}
      onShow={onShow}
    />
  )
}

/** The dialog for another job like a finished one. */
export function PrintAgainDialog({ job, onClose }: { job: PrintJob; onClose: () => void }) {
  const [, setParams] = useSearchParams()
  const request = {
    itemId: job.inventory_item_id ?? '',
    modelId: job.inventory_item_id === null ? (job.stl_file_id ?? '') : '',
    orderId: '',
    quantity: String(job.quantity),
  }
  return (
    <AddJobDialog
      request={request}
      again={job}
      onClose={onClose}
      onShow={(id) => setParams(toJob(currentParams(), id))}
    />
  )
}

interface OpenDialogProps extends AddJobDialogProps {
  initial: Printable | null
  /** The order for which the job is printed. */
  order: Order | null
}

function OpenDialog({ request, again, initial, order, onClose, onShow }: OpenDialogProps) {
  const client = useQueryClient()
  const steps = useJobSteps()
  const [part, setPart] = useState(initial)
  const [spool, setSpool] = useState<Spool | null>(null)
  const modelId = part?.modelId ?? ''
  const slices = useQuery({ ...slicesQuery(modelId), enabled: modelId !== '' })
  const figures = part && figuresOf(part, slices.data ?? [])
  // The proposed pieces per plate follow the part until a person types another number.
  const [hasOwnPieces, setHasOwnPieces] = useState(again !== undefined)
  const withPieces = (fields: JobForm): JobForm =>
    hasOwnPieces ? fields : { ...fields, pieces_per_plate: numberText(proposedPieces(fields, figures)) }
  const state = useNewForm({
    start: () => ({
      ...EMPTY_JOB,
      ...withPart(EMPTY_JOB, null, initial),
      ...(again && formAgain(again)),
      quantity: request.quantity || EMPTY_JOB.quantity,
      due_at: dayOf(order?.due_at ?? null),
    }),
    read: (fields: JobForm) => readNewJob(withPieces(fields), part, request.orderId),
    create: async (body, headers) => {
      const job = await callApi(createPrintJob, { body, headers })
      toast({
        title: t('“{inventory_item_name}” queued, {quantity, plural, one {# piece} other {# pieces}}', {
          inventory_item_name: job.inventory_item_name,
          quantity: job.quantity,
        }),
        action: { label: t('Undo'), onSelect: () => steps.remove(job) },
        otherAction: { label: t('Show'), onSelect: () => onShow(job.id) },
      })
      void client.invalidateQueries({ queryKey: [QUEUE_KEY] })
      void client.invalidateQueries({ queryKey: ['filament'] })
      onClose()
    },
  })
  const { form, change, errors } = state
  const changePart = (next: Printable | null) => {
    change(withPart(form, part, next))
    state.clearError('part')
    setPart(next)
  }
  const needed = neededGrams(form, figures)
  const minutes = neededOf(form, figures?.minutes ?? null)
  const isFromFile = figures !== null && figures.file !== null
  const contradiction = part && figures && contradictionOf(part, figures)
  return (
    <FormDialog
      state={{ ...state, hasChanges: state.hasChanges || part !== initial }}
      submitLabel={t('Add to queue')}
      onClose={onClose}
      title={again ? t('Print again') : t('Add Job')}
      description={order ? t('For order {order_number}', { order_number: order.order_number }) : null}
    >
      <div className="flex flex-col gap-4">
        <Field label={t('What to print')} isRequired error={errors.part}>
          <PartPicker part={part} onChange={changePart} />
        </Field>
        <JobFields
          form={withPieces(form)}
          change={(fields) => {
            if (fields.pieces_per_plate !== undefined) setHasOwnPieces(true)
            change(fields)
          }}
          errors={errors}
          onSpool={setSpool}
          hintOf={(field) => {
            if (field === 'estimated_grams' && form.estimated_grams === '' && needed !== null)
              return isFromFile
                ? t('≈ {needed} from the sliced file', { needed: formatGrams(needed) })
                : t('≈ {needed} from the weight of the item', { needed: formatGrams(needed) })
            if (field === 'estimated_minutes' && form.estimated_minutes === '' && minutes !== null)
              return isFromFile
                ? t('≈ {needed} from the sliced file', { needed: formatMinutes(minutes) })
                : t('≈ {needed} from the print time of the item', { needed: formatMinutes(minutes) })
            return undefined
          }}
        />
        {contradiction ? <AlertBox tone="warning">{contradiction}</AlertBox> : null}
        {spool && form.filament_id === spool.id && needed !== null && needed > spool.remaining_grams ? (
          <AlertBox tone="warning">
            {t(
              'The job needs {needed}, and {remaining_grams} are left on {label_code}. You can queue it anyway.',
              {
                needed: formatGrams(needed),
                remaining_grams: formatGrams(spool.remaining_grams),
                label_code: spool.label_code,
              },
            )}
          </AlertBox>
        ) : null}
      </div>
    </FormDialog>
  )
}

/**
 * Returns the pieces per plate to propose: those of one print if it has several and the job needs more. Otherwise null,
 * because a plate with more pieces than the job, or several plates where one is enough, is for a person to choose.
 */
function proposedPieces(form: JobForm, figures: PrintFigures | null): number | null {
  const pieces = figures?.pieces ?? 1
  return pieces > 1 && pieces < (typedNumber(form.quantity) ?? 0) ? pieces : null
}

/** Returns a figure of one piece for all pieces of the job. Null if the figure or the quantity is unknown. */
function neededOf(form: JobForm, each: number | null): number | null {
  const quantity = typedNumber(form.quantity)
  return each === null || quantity === null || !(quantity > 0) ? null : each * quantity
}

/**
 * Returns the filament for the whole job in grams: the typed value, or else the weight of all pieces. Null if
 * both are unknown.
 */
function neededGrams(form: JobForm, figures: PrintFigures | null): number | null {
  const typed = typedNumber(form.estimated_grams)
  if (typed !== null) return Number.isFinite(typed) ? typed : null
  return neededOf(form, figures?.grams ?? null)
}

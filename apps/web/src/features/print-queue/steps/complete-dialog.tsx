import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { completeQueuedJobBody, COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { errorsAtFields } from '@/lib/forms/form-merge.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { useStepForm } from './use-step-form.ts'

const FIELDS = ['good_quantity', 'rejected_quantity', 'reason', 'used_grams'] as const
type CompleteField = (typeof FIELDS)[number]
const isField = (name: string): name is CompleteField => FIELDS.some((field) => field === name)

interface CompleteDialogProps {
  job: PrintJob
  onClose: () => void
}

/** How it went: all good unless somebody says otherwise. What is good goes into stock. */
export function CompleteDialog({ job, onClose }: CompleteDialogProps) {
  const steps = useJobSteps()
  const form = useStepForm(FIELDS, onClose)
  const reasonsId = useId()
  const [good, setGood] = useState(String(job.quantity))
  const [rejected, setRejected] = useState('0')
  const [reason, setReason] = useState('')
  const [estimated] = useState(() => (job.filament_id ? numberText(job.estimated_grams) : ''))
  const [used, setUsed] = useState(estimated)
  const goodCount = typedNumber(good) ?? Number.NaN
  const rejectedCount = typedNumber(rejected) ?? Number.NaN

  const submit = () => {
    const usedGrams = typedNumber(used)
    const parsed = completeQueuedJobBody.safeParse({
      good_quantity: goodCount,
      rejected_quantity: rejectedCount,
      ...(reason.trim() !== '' && rejectedCount > 0 && { reason }),
      ...(job.filament_id && usedGrams !== null && { used_grams: usedGrams }),
    })
    if (!parsed.success) return form.setErrors(errorsAtFields(parsed.error.issues, isField))
    void form.submit(() => steps.complete(job, parsed.data ?? {}))
  }
  /** What is not good is rejected, until somebody says otherwise. */
  const changeGood = (text: string) => {
    setGood(text)
    const count = typedNumber(text)
    if (count !== null && count >= 0 && count <= job.quantity) setRejected(String(job.quantity - count))
  }
  const changeRejected = (text: string) => {
    setRejected(text)
    const count = typedNumber(text)
    if (count !== null && count >= 0 && count <= job.quantity) setGood(String(job.quantity - count))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Complete job"
      size="sm"
      error={form.failure}
      hasChanges={good !== String(job.quantity) || used !== estimated || reason.trim() !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" autoFocus isPending={form.isPending}>
            {goodCount >= 0 ? `Complete with ${formatCount(goodCount)} good` : 'Complete'}
          </Button>
        </>
      }
    >
      <JobLine job={job} />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label="Good"
          isRequired
          error={form.errors.good_quantity}
          hint={job.inventory_item_id ? 'Into stock' : 'Not linked to an item; stock won’t change'}
        >
          <Input
            value={good}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => changeGood(event.target.value)}
          />
        </Field>
        <Field
          label="Rejected"
          error={form.errors.rejected_quantity}
          hint={`Of ${formatNumberOf(job.quantity, 'piece')}`}
        >
          <Input
            value={rejected}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => changeRejected(event.target.value)}
          />
        </Field>
        {rejectedCount > 0 ? (
          <Field label="Why rejected" error={form.errors.reason} className="col-span-full">
            <Input
              value={reason}
              maxLength={500}
              list={reasonsId}
              dir="auto"
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        ) : null}
        {job.filament_id ? (
          <Field
            label="Filament used"
            error={form.errors.used_grams}
            hint={`Off ${job.filament_label ?? 'the spool'}; empty books nothing`}
            className="col-span-full"
          >
            <Input
              value={used}
              inputMode="decimal"
              autoComplete="off"
              unit="g"
              onChange={(event) => setUsed(event.target.value)}
            />
          </Field>
        ) : null}
      </div>
      <Reasons id={reasonsId} />
    </Dialog>
  )
}

/** What usually goes wrong, for a field to offer. */
export const Reasons = ({ id }: { id: string }) => (
  <datalist id={id}>
    {COMMON_FAILURE_REASONS.map((each) => (
      <option key={each} value={each} />
    ))}
  </datalist>
)

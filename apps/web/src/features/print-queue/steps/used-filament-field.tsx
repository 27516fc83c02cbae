import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input, type InputProps } from '@/components/ui/forms/input.tsx'

interface UsedFilamentFieldProps {
  job: PrintJob
  label: string
  error: string | undefined
  input: InputProps
}

/** The grams that a print has used. Renders nothing for a job without a spool. */
export const UsedFilamentField = ({ job, label, error, input }: UsedFilamentFieldProps) =>
  job.filament_id ? (
    <Field
      label={label}
      error={error}
      hint={`From ${job.filament_label ?? 'the spool'}; leave it empty to book nothing`}
      className="col-span-full"
    >
      <Input {...input} inputMode="decimal" autoComplete="off" unit="g" />
    </Field>
  ) : null

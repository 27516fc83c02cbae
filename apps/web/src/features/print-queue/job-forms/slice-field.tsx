import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Slice } from '@pegasus/contracts/slices/slices'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { slicesToPickQuery } from './part-picker.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface SliceFieldProps {
  job: PrintJob
  label: string
  error?: string | undefined
  hint?: ReactNode
  /** Id of the chosen sliced file; empty for the one that fits the printer. */
  value: string
  onChange: (sliceId: string) => void
}

/** Describes a sliced file: `dragon.gcode · MK4S · 0.4 mm · 4 pieces`. */
const sliceLabel = ({
  file_name: file,
  plate,
  printer_model: model,
  nozzle_mm: nozzle,
  pieces,
}: Slice): string =>
  joinFacts([
    file,
    plate > 1 ? t('plate {plate}', { plate }) : null,
    model,
    nozzle === null ? null : t('{nozzle} mm', { nozzle }),
    t('{pieces, plural, one {# piece} other {# pieces}}', { pieces }),
  ])

/** Selects a sliced file of the version that a job prints. Renders nothing if there is none. */
export function SliceField({ job, label, error, hint, value, onChange }: SliceFieldProps) {
  const { data } = useQuery({
    ...slicesToPickQuery(job.stl_file_id ?? ''),
    enabled: job.stl_file_id !== null,
  })
  const version = job.stl_version_number ?? job.stl_current_version_number
  const slices = (data ?? []).filter((slice) => slice.stl_version === version)
  if (slices.length === 0 && value === '') return null
  const isMissing = value !== '' && !slices.some(({ id }) => id === value)
  return (
    <Field label={label} error={error} hint={hint} className="col-span-full">
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('The newest that fits the printer')}</option>
        {isMissing ? <option value={value}>{t('The chosen file')}</option> : null}
        <Options of={slices.map((slice) => ({ value: slice.id, label: sliceLabel(slice) }))} />
      </Select>
    </Field>
  )
}

import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Slice } from '@pegasus/contracts/slices/slices'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { isFirstPlate, printOf } from '@/components/slices/print-of.ts'
import { slicesQuery } from '@/components/slices/slices.queries.ts'
import { formatCount, formatDateTime, formatMinutes } from '@/lib/format/format.ts'
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

/** Describes a sliced file: `dragon.gcode · MK4S · 0.4 mm · PETG · 3 h 20 min · 4 pieces`. */
function sliceLabel(slice: Slice, slices: readonly Slice[]): string {
  const { plate, plates, needs_all_plates: needsAllPlates, nozzle_mm: nozzle, pieces } = slice
  const { minutes } = printOf(slice, slices)
  return joinFacts([
    slice.file_name,
    needsAllPlates ? t('all {plates} plates', { plates }) : plates > 1 && t('plate {plate}', { plate }),
    slice.printer_model,
    nozzle !== null && t('{nozzle} mm', { nozzle: formatCount(nozzle) }),
    slice.material,
    minutes !== null && formatMinutes(minutes),
    t('{pieces, plural, one {# piece} other {# pieces}}', { pieces }),
  ])
}

/** Returns the choices. Files with the same description also say when they were added. */
function optionsOf(shown: readonly Slice[], slices: readonly Slice[]): { value: string; label: string }[] {
  const options = shown.map((slice) => ({ slice, label: sliceLabel(slice, slices) }))
  return options.map(({ slice, label }) => ({
    value: slice.id,
    label:
      options.filter((other) => other.label === label).length > 1
        ? joinFacts([label, formatDateTime(slice.created_at)])
        : label,
  }))
}

/** Selects a sliced file of the version that a job prints. Renders nothing if there is none. */
export function SliceField({ job, label, error, hint, value, onChange }: SliceFieldProps) {
  const { data } = useQuery({
    ...slicesQuery(job.stl_file_id ?? ''),
    enabled: job.stl_file_id !== null,
  })
  const version = job.stl_version_number ?? job.stl_current_version_number
  const ofVersion = (data ?? []).filter((slice) => slice.stl_version === version)
  // One choice is enough for a file whose plates are printed together.
  const slices = ofVersion.filter(
    (slice) => !slice.needs_all_plates || slice.id === value || isFirstPlate(slice, ofVersion),
  )
  if (slices.length === 0 && value === '') return null
  const isMissing = value !== '' && !slices.some(({ id }) => id === value)
  return (
    <Field label={label} error={error} hint={hint} className="col-span-full">
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t('The newest that fits the printer')}</option>
        {isMissing ? <option value={value}>{t('The chosen file')}</option> : null}
        <Options of={optionsOf(slices, ofVersion)} />
      </Select>
    </Field>
  )
}

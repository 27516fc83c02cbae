import { MAX_USED_GRAMS } from '@pegasus/contracts/print-queue/agents'
import { MAX_ESTIMATED_MINUTES } from '@pegasus/contracts/print-queue/jobs'
import { useState } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'
import type { ScannedUse } from './scan-mutations.ts'

const EMPTY = { grams: '', minutes: '' }

const isIn = (value: number | null, max: number): boolean => value === null || (value >= 0 && value <= max)

/**
 * The typed filament and time of a plate that a person or an agent prints. `value` is null if a number is not valid.
 * The fields are cleared when the plate changes. `plateId` is null if the use of the plate is not asked for.
 */
export function useScannedUse(plateId: string | null) {
  const [typed, setTyped] = useState({ ...EMPTY, plateId })
  const fields = typed.plateId === plateId ? typed : { ...EMPTY, plateId }
  const [grams, minutes] = [typedNumber(fields.grams), typedNumber(fields.minutes)]
  const areGramsValid = isIn(grams, MAX_USED_GRAMS)
  const areMinutesValid =
    isIn(minutes, MAX_ESTIMATED_MINUTES) && (minutes === null || Number.isInteger(minutes))
  const value: ScannedUse | null =
    areGramsValid && areMinutesValid
      ? { ...(grams !== null && { used_grams: grams }), ...(minutes !== null && { print_minutes: minutes }) }
      : null
  const bind = (field: keyof typeof EMPTY) => ({
    value: fields[field],
    onChange: ({ target }: React.ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...fields, [field]: target.value }),
  })
  return { value, areGramsValid, areMinutesValid, bind }
}

/** Asks for the measured filament and time of a print that ends or stops. */
export function UsedFields({ state }: { state: ReturnType<typeof useScannedUse> }) {
  return (
    <div className="grid grid-cols-2 items-start gap-2">
      <Field
        label={t('Filament used')}
        error={state.areGramsValid ? undefined : t('Please enter a number.')}
        hint={t('Leave it empty if it was not measured')}
      >
        <Input {...state.bind('grams')} inputMode="decimal" autoComplete="off" unit="g" />
      </Field>
      <Field
        label={t('Print time')}
        error={state.areMinutesValid ? undefined : t('Please enter a whole number.')}
      >
        <Input {...state.bind('minutes')} inputMode="numeric" autoComplete="off" unit={t('min')} />
      </Field>
    </div>
  )
}

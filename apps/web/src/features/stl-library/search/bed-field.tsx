import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { bedOf, COMMON_BEDS, formatBed, recallBed, sidesOf } from './bed-sizes.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The bed that is being selected: a common bed, no bed, or three typed sides. */
export interface BedDraft {
  choice: string
  sides: readonly [string, string, string]
}

const ANY = ''
const OWN = 'own'

const textsOf = (bed: string): BedDraft['sides'] => {
  const [width = '', depth = '', height = ''] = sidesOf(bed)
  return [width, depth, height]
}

const isCommon = (bed: string): boolean => (COMMON_BEDS as readonly string[]).includes(bed)

/** Returns the initial form for the applied bed. The sides default to the last used bed. */
export function bedDraftOf(fits: string): BedDraft {
  const sides = textsOf(fits || (recallBed() ?? ''))
  return { choice: fits === '' || isCommon(fits) ? fits : OWN, sides }
}

/** Returns the selected bed; empty for any bed, and null if the typed sides are invalid. */
export const readBedDraft = ({ choice, sides }: BedDraft): string | null =>
  choice === OWN ? bedOf(sides) : choice

interface BedFieldProps {
  draft: BedDraft
  onChange: (draft: BedDraft) => void
  error: string | null
}

const SIDES = [t('Bed width'), t('Bed depth'), t('Bed height')] as const

export function BedField({ draft, onChange, error }: BedFieldProps) {
  const { choice, sides } = draft
  const last = recallBed()
  const beds: readonly string[] = last && !isCommon(last) ? [last, ...COMMON_BEDS] : COMMON_BEDS
  return (
    <>
      <Field
        label={t('Fits my bed')}
        hint={t('In the stored orientation, or rotated by 90°.')}
        error={error}
        className="phone:col-span-full"
      >
        <Select value={choice} onChange={(event) => onChange({ ...draft, choice: event.target.value })}>
          <option value={ANY}>{t('Any size')}</option>
          {beds.map((bed) => (
            <option key={bed} value={bed}>
              {bed === last ? t('{bed}, last used', { bed: formatBed(bed) }) : formatBed(bed)}
            </option>
          ))}
          <option value={OWN}>{t('Another bed…')}</option>
        </Select>
      </Field>
      {choice === OWN ? (
        <div className="order-none col-span-full grid grid-cols-3 gap-2">
          {SIDES.map((label, side) => (
            <Field key={label} label={label}>
              <Input
                unit={t('mm')}
                inputMode="decimal"
                autoComplete="off"
                value={sides[side]}
                onChange={(event) =>
                  onChange({
                    ...draft,
                    sides: sides.with(side, event.target.value) as [string, string, string],
                  })
                }
              />
            </Field>
          ))}
        </div>
      ) : null}
    </>
  )
}

import { LICENSE_TYPES } from '@pegasus/contracts/stl-library/licenses'
import { MODEL_FORMATS, SALE_VERDICTS } from '@pegasus/contracts/stl-library/models'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { BedField, type BedDraft, bedDraftOf, readBedDraft } from './bed-field.tsx'
import { rememberBed } from './bed-sizes.ts'
import { SALE_WORDS } from './filter-labels.ts'
import { type LibraryFilters, NO_FILTERS } from '../library-address.ts'
import { MaterialInput } from '../fields/material-input.tsx'
import { TagField } from '../fields/tag-field.tsx'
import { LICENSE_OPTIONS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

interface MoreFiltersDialogProps {
  applied: LibraryFilters
  onApply: (filters: LibraryFilters) => void
  onClose: () => void
  /** True on a phone, where the dialog is a sheet with all filters. */
  isPhone: boolean
  /** The order and the saved searches, shown above the filters. */
  extra: ReactNode
}

/** The dialog with all other filters. On a phone it is a sheet at the bottom. */
export function MoreFiltersDialog({ applied, onApply, isPhone, extra, onClose }: MoreFiltersDialogProps) {
  const [draft, setDraft] = useState(applied)
  const [bed, setBed] = useState(() => bedDraftOf(applied.fits))
  const [bedError, setBedError] = useState<string | null>(null)
  const change = (part: Partial<LibraryFilters>) => setDraft((now) => ({ ...now, ...part }))
  const changeBed = (next: BedDraft) => {
    setBed(next)
    setBedError(null)
  }
  const handleSubmit = () => {
    const fits = readBedDraft(bed)
    if (fits === null)
      return setBedError(t('Enter width, depth and height in millimeters, such as 220, 220, 250.'))
    if (fits) rememberBed(fits)
    onApply({ ...draft, fits })
    onClose()
  }
  const handleClear = () => {
    setDraft({ ...NO_FILTERS, search: applied.search, license: isPhone ? null : applied.license })
    changeBed(bedDraftOf(''))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('More filters')}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button variant="ghost" onClick={handleClear}>
            {t('Clear')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary">
            {isPhone ? t('Apply Filters') : t('Show models')}
          </Button>
        </>
      }
    >
      {extra ? <div className="mb-3">{extra}</div> : null}
      <div className="grid grid-cols-2 gap-4 phone:gap-3">
        {isPhone ? (
          <Field label={t('License')} className="col-span-full">
            <Select
              value={draft.license ?? ''}
              onChange={(event) =>
                change({ license: LICENSE_TYPES.find((each) => each === event.target.value) ?? null })
              }
            >
              <option value="">{t('All Licenses')}</option>
              <Options of={LICENSE_OPTIONS} />
            </Select>
          </Field>
        ) : null}
        <Field
          label={t('Tags')}
          hint={t('Only models that have all of these tags.')}
          className="col-span-full"
        >
          <TagField tags={draft.tags} onChange={(tags) => change({ tags })} isCounted />
        </Field>
        <BedField draft={bed} onChange={changeBed} error={bedError} />
        <Field label={t('Material')} className="phone:col-span-full">
          <MaterialInput value={draft.material} onChange={(material) => change({ material })} />
        </Field>
        <Choice
          label={t('Format')}
          value={draft.format}
          values={MODEL_FORMATS}
          nameOf={(format) => format.toUpperCase()}
          onChange={(format) => change({ format })}
        />
        <Choice
          label={t('Selling prints')}
          value={draft.sale}
          values={SALE_VERDICTS}
          nameOf={(sale) => SALE_WORDS[sale]}
          onChange={(sale) => change({ sale })}
        />
        <YesNo
          label={t('Watertight')}
          value={draft.isWatertight}
          onChange={(isWatertight) => change({ isWatertight })}
        />
        <YesNo label={t('Product')} value={draft.isProduct} onChange={(isProduct) => change({ isProduct })} />
        <Field label={t('Uploaded by')} hint={t('Username')} className="col-span-full">
          <Input
            value={draft.uploader}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change({ uploader: event.target.value })}
          />
        </Field>
        <DayField
          label={t('Uploaded from')}
          value={draft.from}
          latest={draft.to}
          onChange={(from) => change({ from })}
        />
        <DayField
          label={t('Uploaded until')}
          value={draft.to}
          earliest={draft.from}
          onChange={(to) => change({ to })}
        />
      </div>
    </Dialog>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value | null
  values: readonly Value[]
  nameOf: (value: Value) => string
  onChange: (value: Value | null) => void
}

const Choice = <Value extends string>({ label, value, values, nameOf, onChange }: ChoiceProps<Value>) => (
  <Field label={label}>
    <Select
      value={value ?? ''}
      onChange={(event) => onChange(values.find((each) => each === event.target.value) ?? null)}
    >
      <option value="">{t('Any')}</option>
      <Options of={values.map((each) => ({ value: each, label: nameOf(each) }))} />
    </Select>
  </Field>
)

interface YesNoProps {
  label: string
  value: boolean | null
  onChange: (value: boolean | null) => void
}

const YesNo = ({ label, value, onChange }: YesNoProps) => (
  <Choice
    label={label}
    value={value === null ? null : value ? 'yes' : 'no'}
    values={['yes', 'no'] as const}
    nameOf={(each) => (each === 'yes' ? t('Yes') : t('No'))}
    onChange={(each) => onChange(each && each === 'yes')}
  />
)

interface DayFieldProps {
  label: string
  value: string
  /** The first and the last day that can be selected. Empty for no limit. */
  earliest?: string
  latest?: string
  onChange: (day: string) => void
}

const DayField = ({ label, value, earliest = '', latest = '', onChange }: DayFieldProps) => (
  <Field label={label}>
    <Input
      type="date"
      value={value}
      min={earliest || undefined}
      max={latest || undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
)

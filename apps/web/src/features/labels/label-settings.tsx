import { LABEL_FIELDS, type LabelField, MAX_LABEL_COPIES } from '@pegasus/contracts/labels/labels'
import { LABEL_ROLLS, LABEL_SHEETS, type LabelPaper } from '@pegasus/contracts/labels/label-papers'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { NumberInput } from '@/components/ui/forms/number-input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { type LabelChoice, CUSTOM_SIZE } from './label-selection.ts'
import { t } from '@/lib/i18n/messages.ts'

const FIELD_NAMES: Readonly<Record<LabelField, string>> = {
  name: t('Name'),
  sku: t('SKU'),
  location: t('Location'),
  price: t('Price'),
}

interface LabelSettingsProps {
  choice: LabelChoice
  onChoice: (choice: LabelChoice) => void
  /** The selected paper; null if its measurements are invalid. */
  paper: LabelPaper | null
  copies: number
  onCopies: (copies: number) => void
  startCell: number
  onStart: (cell: number) => void
}

/** The settings for printing labels: paper, copies and content. */
export function LabelSettings(props: LabelSettingsProps) {
  const { choice, onChoice, paper, copies, onCopies, startCell, onStart } = props
  const cells = paper ? paper.columns * paper.rows : 1
  const toggle = (field: LabelField) => {
    const isOn = choice.fields.includes(field)
    const fields = LABEL_FIELDS.filter((each) => (each === field ? !isOn : choice.fields.includes(each)))
    onChoice({ ...choice, fields })
  }
  return (
    <div className="flex flex-col gap-4">
      <Field label={t('Paper')}>
        <Select
          value={choice.paperId}
          onChange={({ target }) => {
            onStart(1)
            onChoice({ ...choice, paperId: target.value })
          }}
        >
          <optgroup label={t('Rolls')}>
            <Options of={LABEL_ROLLS.map(({ id, name }) => ({ value: id, label: name }))} />
            <option value={CUSTOM_SIZE}>{t('Another size…')}</option>
          </optgroup>
          <optgroup label={t('Sheets')}>
            <Options of={LABEL_SHEETS.map(({ id, name }) => ({ value: id, label: name }))} />
          </optgroup>
        </Select>
      </Field>
      {choice.paperId === CUSTOM_SIZE ? (
        <div className="grid grid-cols-2 gap-3">
          <Field label={t('Width')} error={paper ? null : t('From 10 to 300 mm.')}>
            <SizeInput value={choice.widthMm} onChange={(widthMm) => onChoice({ ...choice, widthMm })} />
          </Field>
          <Field label={t('Height')}>
            <SizeInput value={choice.heightMm} onChange={(heightMm) => onChoice({ ...choice, heightMm })} />
          </Field>
        </div>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('Copies of each')}>
          <CountInput value={copies} max={MAX_LABEL_COPIES} onChange={onCopies} />
        </Field>
        {cells > 1 ? (
          <Field label={t('Start at cell')} hint={t('1 to {cells}', { cells })}>
            <CountInput value={startCell} max={cells} onChange={onStart} />
          </Field>
        ) : null}
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1 text-label font-medium">{t('On the label')}</legend>
        {LABEL_FIELDS.map((field) => (
          <Checkbox
            key={field}
            label={FIELD_NAMES[field]}
            checked={choice.fields.includes(field)}
            onChange={() => toggle(field)}
          />
        ))}
      </fieldset>
      <p className="text-caption text-ink-3">
        {t(
          'In the print dialog choose this paper, no margins and 100 % scale. The PDF sets this automatically.',
        )}
      </p>
    </div>
  )
}

const clampWhole = (text: string, max: number): number =>
  Math.min(max, Math.max(1, Math.trunc(Number(text)) || 1))

interface CountInputProps {
  value: number
  max: number
  onChange: (value: number) => void
}

/** A field for a whole number from 1 to `max`. */
const CountInput = ({ value, max, onChange }: CountInputProps) => (
  <NumberInput min={1} max={max} value={String(value)} onChange={(text) => onChange(clampWhole(text, max))} />
)

/** A field for a length in millimeters. */
const SizeInput = ({ value, onChange }: { value: number; onChange: (mm: number) => void }) => (
  <Input
    defaultValue={numberText(value)}
    unit={t('mm')}
    inputMode="decimal"
    onChange={({ target }) => onChange(typedNumber(target.value) ?? 0)}
  />
)

import { LABEL_FIELDS, type LabelField, MAX_LABEL_COPIES } from '@pegasus/contracts/labels/labels'
import { LABEL_ROLLS, LABEL_SHEETS, type LabelPaper } from '@pegasus/contracts/labels/label-papers'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { type LabelChoice, CUSTOM_SIZE } from './label-selection.ts'

const FIELD_NAMES: Readonly<Record<LabelField, string>> = {
  name: 'Name',
  sku: 'SKU',
  location: 'Location',
  price: 'Price',
}

const clampWhole = (text: string, max: number): number =>
  Math.min(max, Math.max(1, Math.trunc(Number(text)) || 1))

interface LabelSettingsProps {
  choice: LabelChoice
  onChoice: (choice: LabelChoice) => void
  /** Null if the measures are invalid. */
  paper: LabelPaper | null
  copies: number
  onCopies: (copies: number) => void
  startCell: number
  onStart: (cell: number) => void
}

/** Settings of a print: paper, copies and content. */
export function LabelSettings(props: LabelSettingsProps) {
  const { choice, onChoice, paper, copies, onCopies, startCell, onStart } = props
  const cells = paper ? paper.columns * paper.rows : 1
  const size = (text: string): number => Number(text.replace(',', '.'))
  const toggle = (field: LabelField) => {
    const isOn = choice.fields.includes(field)
    const fields = LABEL_FIELDS.filter((each) => (each === field ? !isOn : choice.fields.includes(each)))
    onChoice({ ...choice, fields })
  }
  return (
    <div className="flex flex-col gap-4">
      <Field label="Paper">
        <Select
          value={choice.paperId}
          onChange={({ target }) => {
            onStart(1)
            onChoice({ ...choice, paperId: target.value })
          }}
        >
          <optgroup label="Rolls">
            <Options of={LABEL_ROLLS.map(({ id, name }) => ({ value: id, label: name }))} />
            <option value={CUSTOM_SIZE}>Another size…</option>
          </optgroup>
          <optgroup label="Sheets">
            <Options of={LABEL_SHEETS.map(({ id, name }) => ({ value: id, label: name }))} />
          </optgroup>
        </Select>
      </Field>
      {choice.paperId === CUSTOM_SIZE ? (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Width" error={paper ? null : 'From 10 to 300 mm.'}>
            <Input
              defaultValue={choice.widthMm}
              unit="mm"
              inputMode="decimal"
              onChange={({ target }) => onChoice({ ...choice, widthMm: size(target.value) })}
            />
          </Field>
          <Field label="Height">
            <Input
              defaultValue={choice.heightMm}
              unit="mm"
              inputMode="decimal"
              onChange={({ target }) => onChoice({ ...choice, heightMm: size(target.value) })}
            />
          </Field>
        </div>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <Field label="Copies of each">
          <Input
            type="number"
            min={1}
            max={MAX_LABEL_COPIES}
            value={copies}
            onChange={({ target }) => onCopies(clampWhole(target.value, MAX_LABEL_COPIES))}
          />
        </Field>
        {cells > 1 ? (
          <Field label="Begin at cell" hint={`1 to ${cells}`}>
            <Input
              type="number"
              min={1}
              max={cells}
              value={startCell}
              onChange={({ target }) => onStart(clampWhole(target.value, cells))}
            />
          </Field>
        ) : null}
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1 text-label font-medium">On the label</legend>
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
        In the print dialog choose this paper, no margins and 100 % scale. The PDF sets this automatically.
      </p>
    </div>
  )
}

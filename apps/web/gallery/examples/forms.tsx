import { Search } from 'lucide-react'
import { useState } from 'react'
import { ColorField } from '@/components/fields/color-field.tsx'
import { CountFields } from '@/components/fields/count-fields.tsx'
import { DropArea } from '@/components/drop-area.tsx'
import { AddProfileArea } from '@/components/slicer-profiles/add-profile-area.tsx'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Camera } from '@/components/code-scanner/camera.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { CodeInput } from '@/components/ui/forms/code-input.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { NumberInput } from '@/components/ui/forms/number-input.tsx'
import { PasswordInput } from '@/components/ui/forms/password-input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { type ExampleGroup, ignore } from '../example.tsx'

const ERROR = 'Quantity must be a whole number from 0 to 1,000,000.'

export const FORMS: readonly ExampleGroup[] = [
  {
    component: 'Field with Input',
    examples: [
      {
        name: 'Empty, required',
        show: (
          <Field label="Name" isRequired>
            <Input placeholder="Wall hook" />
          </Field>
        ),
      },
      {
        name: 'With a hint and a unit',
        show: (
          <Field label="Weight" hint="Filament for one piece">
            <Input defaultValue="31" unit="g" inputMode="decimal" />
          </Field>
        ),
      },
      {
        name: 'With an error',
        show: (
          <Field label="Quantity" error={ERROR}>
            <Input defaultValue="-1" />
          </Field>
        ),
      },
      {
        name: 'Number',
        show: (
          <Field label="Price">
            <NumberInput value="12.50" min={0} step={0.01} unit="USD" onChange={ignore} />
          </Field>
        ),
      },
      {
        name: 'Disabled',
        show: (
          <Field label="SKU">
            <Input defaultValue="HOOK-1" disabled />
          </Field>
        ),
      },
      {
        name: 'With an icon',
        show: (
          <Field label="Search">
            <Input icon={<Search size={16} aria-hidden />} defaultValue="hook" />
          </Field>
        ),
      },
      {
        name: 'Large',
        show: (
          <Field label="Email">
            <Input controlSize="lg" type="email" />
          </Field>
        ),
      },
    ],
  },
  {
    component: 'Textarea',
    examples: [
      {
        name: 'Filled',
        show: (
          <Field label="Notes">
            <Textarea defaultValue={'Four walls.\nPETG only.'} />
          </Field>
        ),
      },
      {
        name: 'With an error',
        show: (
          <Field label="Reason" error="A reason is required.">
            <Textarea />
          </Field>
        ),
      },
    ],
  },
  {
    component: 'PasswordInput',
    examples: [
      {
        name: 'Filled',
        show: (
          <Field label="Password">
            <PasswordInput defaultValue="Quiet-Harbour-27" autoComplete="off" />
          </Field>
        ),
      },
    ],
  },
  {
    component: 'CodeInput',
    examples: [
      { name: 'Empty', show: <CodeExample code="" /> },
      { name: 'With an error', show: <CodeExample code="123" error="This code is wrong." /> },
    ],
  },
  {
    component: 'Select',
    examples: [
      {
        name: 'Chosen',
        show: (
          <Field label="Material">
            <Select defaultValue="PETG">
              <option>PLA</option>
              <option>PETG</option>
            </Select>
          </Field>
        ),
      },
      {
        name: 'Disabled',
        show: (
          <Field label="Material, disabled">
            <Select disabled>
              <option>PLA</option>
            </Select>
          </Field>
        ),
      },
    ],
  },
  {
    component: 'Checkbox',
    examples: [
      {
        name: 'All states',
        show: (
          <div className="flex flex-col gap-2">
            <Checkbox label="Not selected" />
            <Checkbox label="Selected" defaultChecked hint="With a hint below" />
            <Checkbox label="Mixed" isMixed />
            <Checkbox label="Disabled" disabled />
          </div>
        ),
      },
    ],
  },
  {
    component: 'Switch',
    examples: [
      {
        name: 'All states',
        show: (
          <div className="flex flex-col gap-2">
            <Switch label="Off" />
            <Switch label="On" defaultChecked />
            <Switch label="Disabled" disabled />
          </div>
        ),
      },
    ],
  },
  { component: 'SegmentedControl', examples: [{ name: 'Two options', show: <SegmentedExample /> }] },
  { component: 'ColorField', examples: [{ name: 'Chosen', show: <ColorExample /> }] },
  {
    component: 'FieldSuggestions',
    examples: [
      {
        name: 'Offers known values while typing',
        show: (
          <Field label="Vendor">
            <FieldSuggestions options={['Prusament', 'PolyTerra']}>
              {(listId) => <Input list={listId} />}
            </FieldSuggestions>
          </Field>
        ),
      },
    ],
  },
  {
    component: 'AddProfileArea',
    examples: [{ name: 'A profile of the slicer', show: <AddProfileArea /> }],
  },
  {
    component: 'DropArea',
    examples: [
      {
        name: 'Empty',
        show: (
          <Field label="Model file">
            <DropArea accept=".stl" onFiles={ignore} />
          </Field>
        ),
      },
      {
        name: 'Chosen',
        show: (
          <Field label="Model file">
            <DropArea accept=".stl" onFiles={ignore} isSingle chosen="wall-hook.stl" />
          </Field>
        ),
      },
      {
        name: 'Disabled',
        show: (
          <Field label="Model file">
            <DropArea accept=".stl" onFiles={ignore} isDisabled />
          </Field>
        ),
      },
    ],
  },
  { component: 'CountFields', examples: [{ name: 'Two of ten are rejected', show: <CountExample /> }] },
  {
    component: 'Camera',
    examples: [
      { name: 'Without a camera', show: <Camera onCode={() => undefined} onProblem={() => undefined} /> },
    ],
  },
]

function CountExample() {
  const [form, setForm] = useState({ good_quantity: '8', rejected_quantity: '2', reason: 'Stringing' })
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }))
  return (
    <div className="grid grid-cols-2 gap-3">
      <CountFields
        state={{ form, change, errors: {} }}
        pieces={10}
        goodHint="Goes into stock"
        rejectedHint="Printed again"
      />
    </div>
  )
}

function CodeExample({ code, error }: { code: string; error?: string }) {
  const [value, setValue] = useState(code)
  return (
    <Field label="Code" error={error}>
      <CodeInput value={value} onChange={setValue} onComplete={ignore} />
    </Field>
  )
}

function SegmentedExample() {
  const [value, setValue] = useState<'cards' | 'list'>('cards')
  const options = { cards: 'Cards', list: 'List' }
  return <SegmentedControl label="View" value={value} options={options} onChange={setValue} />
}

function ColorExample() {
  const [hex, setHex] = useState('#E8641B')
  return (
    <Field label="Color">
      <ColorField value={hex} onChange={setHex} />
    </Field>
  )
}

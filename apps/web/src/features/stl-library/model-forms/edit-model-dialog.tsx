import { allowsSale, forbidsSale, LICENSE_TYPES } from '@pegasus/contracts/stl-library/licenses'
import { getModel, type Model } from '@pegasus/contracts/stl-library/models'
import type { ReactNode } from 'react'
import { EditDialog, type EditFields } from '@/components/kit/edit-dialog.tsx'
import { formFields } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { callApi } from '@/lib/http/api.ts'
import { MaterialInput } from '../fields/material-input.tsx'
import { SuggestedMark } from '../fields/suggested-mark.tsx'
import { TagField } from '../fields/tag-field.tsx'
import {
  type EditField,
  type EditForm,
  FIELD_WORDS,
  MODEL_EDIT,
  tagsOf,
  textOfTags,
} from './edit-model-form.ts'
import { useUpdateModel } from './model-mutations.ts'
import { SALE_OPTIONS } from './sale-select.ts'
import { LICENSE_OPTIONS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

interface EditModelDialogProps {
  model: Model
  onClose: () => void
}

export function EditModelDialog({ model, onClose }: EditModelDialogProps) {
  const update = useUpdateModel()
  const { id } = model
  return (
    <EditDialog
      title={t('Edit model')}
      size="lg"
      thing={model}
      {...MODEL_EDIT}
      save={({ body, revision }) => update.mutateAsync({ id, revision, edit: body })}
      reread={() => callApi(getModel, { params: { id } })}
      savedText={(saved) => t('“{name}” saved', { name: saved.title })}
      onClose={onClose}
    >
      {(fields) => <ModelFields {...fields} suggested={model.suggested_fields} />}
    </EditDialog>
  )
}

interface ModelFieldsProps extends EditFields<EditField> {
  /** Names of the fields whose values were suggested. */
  suggested: readonly string[]
}

function ModelFields({ form, change, errors, hintOf, isTouched, suggested }: ModelFieldsProps) {
  const { field, input, select, textarea } = formFields({ form, change, labels: FIELD_WORDS, errors, hintOf })
  const props = (name: EditField) => ({
    ...field(name),
    mark: suggested.includes(name) && !isTouched(name) ? <SuggestedMark isHint /> : null,
  })
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <Field {...props('title')} isRequired>
        <Input {...input('title')} />
      </Field>
      <Field {...props('license_type')}>
        <Select {...select('license_type')}>
          <Options of={LICENSE_OPTIONS} />
        </Select>
      </Field>
      <Field {...props('description')} className="col-span-full">
        <Textarea {...textarea('description')} rows={3} />
      </Field>
      <Field {...props('tags')} className="col-span-full">
        <TagField tags={tagsOf(form.tags)} onChange={(tags) => change({ tags: textOfTags(tags) })} />
      </Field>
      <Field {...props('attribution_url')}>
        <Input {...input('attribution_url')} type="url" placeholder="https://" />
      </Field>
      <Field {...props('print_material')}>
        <MaterialInput
          value={form.print_material}
          onChange={(print_material) => change({ print_material })}
        />
      </Field>
      <SaleFields form={form} change={change} props={props} />
      <Field {...props('print_notes')} className="col-span-full">
        <Textarea {...textarea('print_notes')} />
      </Field>
    </div>
  )
}

interface SaleFieldsProps {
  form: EditForm
  change: (part: Partial<EditForm>) => void
  props: (field: EditField) => { label: string; mark: ReactNode; error: string | undefined; hint: ReactNode }
}

/** Asks whether prints may be sold, but only if the license leaves this open. */
function SaleFields({ form, change, props }: SaleFieldsProps) {
  const license = LICENSE_TYPES.find((each) => each === form.license_type)
  if (!license || allowsSale(license) || forbidsSale(license)) return null
  return (
    <>
      <Field {...props('sale_allowed')}>
        <Select value={form.sale_allowed} onChange={(event) => change({ sale_allowed: event.target.value })}>
          <Options of={SALE_OPTIONS.map(({ value, label }) => ({ value, label }))} />
        </Select>
      </Field>
      <SaleNote props={props('sale_note')} value={form.sale_note} change={change} />
    </>
  )
}

interface SaleNoteProps {
  props: ReturnType<SaleFieldsProps['props']>
  value: string
  change: SaleFieldsProps['change']
}

const SaleNote = ({ props, value, change }: SaleNoteProps) => (
  <Field {...props} hint={props.hint ?? t('Who allowed it, when, and where this is documented.')}>
    <Textarea
      rows={2}
      value={value}
      dir="auto"
      onChange={(event) => change({ sale_note: event.target.value })}
    />
  </Field>
)

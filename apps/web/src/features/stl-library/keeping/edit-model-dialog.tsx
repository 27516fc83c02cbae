import { allowsSale, forbidsSale, LICENSE_TYPES } from '@pegasus/contracts/licenses'
import { getStlFile, type StlFile } from '@pegasus/contracts/stl-files'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Dialog } from '@/components/ui/dialog.tsx'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { Select } from '@/components/ui/select.tsx'
import { Textarea } from '@/components/ui/textarea.tsx'
import { toast } from '@/components/ui/toast-store.ts'
import { callApi } from '@/lib/api.ts'
import { ApiError, errorMessage } from '@/lib/api-error.ts'
import { MaterialInput } from '../material-input.tsx'
import { SuggestedMark } from '../suggested-mark.tsx'
import { TagField } from '../tag-field.tsx'
import {
  differing,
  type EditField,
  type EditForm,
  FIELD_WORDS,
  formOf,
  type Merge,
  mergeForms,
  readEdit,
  wordsOf,
} from './edit-form.ts'
import { useUpdateModel } from './keeping.queries.ts'
import { MeanwhileBox } from './meanwhile-box.tsx'
import { SALE_OPTIONS } from './sale-choice.ts'

interface EditModelDialogProps {
  model: StlFile
  onClose: () => void
}

/** Everything that a person may change of a model. What somebody else saves meanwhile is shown, and nothing typed is lost. */
export function EditModelDialog({ model, onClose }: EditModelDialogProps) {
  const edit = useModelEdit(model, onClose)
  const { form, change, errors, merge } = edit
  const props = (field: EditField) => ({
    label: FIELD_WORDS[field],
    mark: model.suggested_fields.includes(field) && !edit.isTouched(field) ? <SuggestedMark isHint /> : null,
    error: errors[field],
    hint: merge?.conflicts.includes(field) ? (
      <Theirs text={wordsOf(merge.theirs, field)} onTake={() => edit.takeTheirs(field)} />
    ) : undefined,
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Edit model"
      size="lg"
      error={edit.failure}
      onSubmit={() => void edit.submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={edit.isPending}>
            {merge ? 'Save again' : 'Save'}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        {merge ? <MeanwhileBox merge={merge} className="col-span-full" /> : null}
        <Field {...props('title')} isRequired>
          <Input value={form.title} onChange={(event) => change({ title: event.target.value })} />
        </Field>
        <Field {...props('license_type')}>
          <Select
            value={form.license_type}
            onChange={(event) =>
              change({
                license_type: LICENSE_TYPES.find((each) => each === event.target.value) ?? form.license_type,
              })
            }
          >
            {LICENSE_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </Select>
        </Field>
        <Field {...props('description')} className="col-span-full">
          <Textarea
            rows={3}
            value={form.description}
            dir="auto"
            onChange={(event) => change({ description: event.target.value })}
          />
        </Field>
        <Field {...props('tags')} className="col-span-full">
          <TagField tags={form.tags} onChange={(tags) => change({ tags })} />
        </Field>
        <Field {...props('attribution_url')}>
          <Input
            type="url"
            value={form.attribution_url}
            placeholder="https://"
            onChange={(event) => change({ attribution_url: event.target.value })}
          />
        </Field>
        <Field {...props('print_material')}>
          <MaterialInput
            value={form.print_material}
            onChange={(print_material) => change({ print_material })}
          />
        </Field>
        <SaleFields form={form} change={change} props={props} />
        <Field {...props('print_notes')} className="col-span-full">
          <Textarea
            rows={2}
            value={form.print_notes}
            dir="auto"
            onChange={(event) => change({ print_notes: event.target.value })}
          />
        </Field>
      </div>
    </Dialog>
  )
}

interface SaleFieldsProps {
  form: EditForm
  change: (part: Partial<EditForm>) => void
  props: (field: EditField) => { label: string; mark: ReactNode; error: string | undefined; hint: ReactNode }
}

/** Asked only where the licence leaves it open. */
function SaleFields({ form, change, props }: SaleFieldsProps) {
  const license = form.license_type
  if (allowsSale(license) || forbidsSale(license)) return null
  return (
    <>
      <Field {...props('sale_allowed')}>
        <Select value={form.sale_allowed} onChange={(event) => change({ sale_allowed: event.target.value })}>
          {SALE_OPTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
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
  <Field {...props} hint={props.hint ?? 'Who allowed it, when, and where that is written.'}>
    <Textarea
      rows={2}
      value={value}
      dir="auto"
      onChange={(event) => change({ sale_note: event.target.value })}
    />
  </Field>
)

const Theirs = ({ text, onTake }: { text: string; onTake: () => void }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <span className="min-w-0 wrap-anywhere">
      Meanwhile saved as <bdi className="font-medium text-ink">{text ? `“${text}”` : 'empty'}</bdi>.
    </span>
    <Button size="sm" variant="ghost" onClick={onTake}>
      Use that
    </Button>
  </span>
)

/** The form, what it started from, and what happens to it when somebody else is quicker. */
function useModelEdit(model: StlFile, onSaved: () => void) {
  const [base, setBase] = useState(() => ({ form: formOf(model), revision: model.revision }))
  const [form, setForm] = useState(base.form)
  const [errors, setErrors] = useState<Partial<Record<EditField, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [merge, setMerge] = useState<Merge | null>(null)
  const [isRereading, setIsRereading] = useState(false)
  const update = useUpdateModel()
  const touched = differing(base.form, form)

  const change = (part: Partial<EditForm>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => ({
      ...now,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }
  const reread = async () => {
    setIsRereading(true)
    try {
      const current = await callApi(getStlFile, { params: { id: model.id } })
      const merged = mergeForms(base.form, form, formOf(current))
      setBase({ form: merged.theirs, revision: current.revision })
      setForm(merged.form)
      setMerge(merged)
    } catch (error) {
      setFailure(errorMessage(error, 'That did not work. Please try again.'))
    } finally {
      setIsRereading(false)
    }
  }
  const submit = async () => {
    const { edit, errors: found } = readEdit(form, base.form)
    setErrors(found ?? {})
    setFailure(null)
    if (!edit) return
    if (Object.keys(edit).length === 0) return onSaved()
    try {
      const saved = await update.mutateAsync({ id: model.id, revision: base.revision, edit })
      toast({ title: `“${saved.title}” saved` })
      onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) return reread()
      setFailure(errorMessage(error, 'That did not work. Please try again.'))
    }
  }
  return {
    form,
    change,
    errors,
    failure,
    merge,
    submit,
    isTouched: (field: EditField) => touched.includes(field),
    takeTheirs: (field: EditField) => {
      if (!merge) return
      change({ [field]: merge.theirs[field] })
      setMerge({ ...merge, conflicts: merge.conflicts.filter((other) => other !== field) })
    },
    isPending: update.isPending || isRereading,
  }
}

import { LICENSE_TYPES } from '@pegasus/contracts/licenses'
import { DESCRIPTION_MAX_LENGTH, TITLE_MAX_LENGTH } from '@pegasus/contracts/stl-files'
import { useId } from 'react'
import { Checkbox } from '@/components/ui/checkbox.tsx'
import { Field } from '@/components/ui/field.tsx'
import { Input } from '@/components/ui/input.tsx'
import { Select } from '@/components/ui/select.tsx'
import { Textarea } from '@/components/ui/textarea.tsx'
import { FileDropField } from './file-drop-field.tsx'
import type { Upload } from './use-upload.ts'

interface UploadFieldsProps {
  upload: Upload
  isDisabled: boolean
}

/** The specification's upload form, in the order a person thinks of it: the file, what it is, whose it is, how to print it. */
export function UploadFields({ upload, isDisabled }: UploadFieldsProps) {
  const aiHint = useId()
  const {
    register,
    formState: { errors },
  } = upload.form
  return (
    <fieldset disabled={isDisabled} className="grid grid-cols-2 gap-x-4 gap-y-3.5 phone:grid-cols-1">
      <legend className="sr-only">The model</legend>
      <div className="col-span-full flex flex-col gap-2">
        <FileDropField file={upload.file} onChoose={upload.chooseFile} isDisabled={isDisabled} error={null} />
        <div>
          <Checkbox {...register('use_ai')} label="Use AI suggestions" aria-describedby={aiHint} />
          <p id={aiHint} className="pl-6 text-caption text-ink-3">
            A title that you leave empty is suggested from the name of the file.
          </p>
        </div>
      </div>
      <Field
        label="Title"
        hint="Left empty, it is taken from the name of the file."
        error={errors.title?.message}
        className="col-span-full"
      >
        <Input {...register('title')} maxLength={TITLE_MAX_LENGTH} dir="auto" />
      </Field>
      <Field label="Description" error={errors.description?.message} className="col-span-full">
        <Textarea {...register('description')} rows={2} maxLength={DESCRIPTION_MAX_LENGTH} dir="auto" />
      </Field>
      <Field label="License" error={errors.license_type?.message}>
        <Select {...register('license_type')}>
          {LICENSE_TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </Select>
      </Field>
      <Field label="Attribution URL" error={errors.attribution_url?.message}>
        <Input
          {...register('attribution_url')}
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={2000}
        />
      </Field>
      <Field label="Tags" hint="Separated by commas." error={errors.tags?.message}>
        <Input {...register('tags')} dir="auto" />
      </Field>
      <Field label="Print material" error={errors.print_material?.message}>
        <Input {...register('print_material')} placeholder="PLA" maxLength={100} />
      </Field>
      <Field label="Print notes" error={errors.print_notes?.message} className="col-span-full">
        <Textarea {...register('print_notes')} rows={2} maxLength={DESCRIPTION_MAX_LENGTH} dir="auto" />
      </Field>
    </fieldset>
  )
}

import {
  DESCRIPTION_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { tagsQuery } from '../search/search.queries.ts'
import { FilesField } from './files-field.tsx'
import { LICENSE_HINTS, LICENSE_PRESET_HINT, splitLastTag } from './upload-form.ts'
import type { UploadFormState } from './use-upload-form.ts'
import { LICENSE_OPTIONS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

interface UploadFieldsProps {
  upload: UploadFormState
  isDisabled: boolean
}

const METHODS = { file: t('From this device'), url: t('From an address') }

/**
 * The fields of the upload form, in a natural order: the file, its description, its license, and how to print
 * it.
 */
export function UploadFields({ upload, isDisabled }: UploadFieldsProps) {
  const {
    register,
    formState: { errors },
  } = upload.form
  return (
    <fieldset disabled={isDisabled} className="grid grid-cols-2 gap-x-4 gap-y-3.5 phone:grid-cols-1">
      <legend className="sr-only">{t('The model')}</legend>
      <SegmentedControl
        label={t('Upload method')}
        value={upload.method}
        options={METHODS}
        onChange={upload.chooseMethod}
        className="col-span-full w-fit"
      />
      <div className="col-span-full flex flex-col gap-2">
        <Source upload={upload} isDisabled={isDisabled} />
        <AiSuggestions upload={upload} />
      </div>
      <TitleField upload={upload} />
      <Field label={t('Description')} error={errors.description?.message} className="col-span-full">
        <Textarea {...register('description')} rows={2} maxLength={DESCRIPTION_MAX_LENGTH} dir="auto" />
      </Field>
      <Field
        label={t('License')}
        hint={upload.isLicenseChosen ? LICENSE_HINTS[upload.license] : LICENSE_PRESET_HINT}
        error={errors.license_type?.message}
      >
        <Select {...register('license_type', { onChange: upload.noteLicense })}>
          <Options of={LICENSE_OPTIONS} />
        </Select>
      </Field>
      <Field
        label={t('Attribution URL')}
        hint={t('A page about the author.')}
        error={errors.attribution_url?.message}
      >
        <Input {...register('attribution_url')} {...URL_INPUT} />
      </Field>
      <TagsField upload={upload} />
      <Field label={t('Print material')} error={errors.print_material?.message}>
        <Input {...register('print_material')} placeholder="PLA" maxLength={100} />
      </Field>
      <Field label={t('Print notes')} error={errors.print_notes?.message} className="col-span-full">
        <Textarea {...register('print_notes')} rows={2} maxLength={DESCRIPTION_MAX_LENGTH} dir="auto" />
      </Field>
    </fieldset>
  )
}

const URL_INPUT = { type: 'url', inputMode: 'url', placeholder: 'https://', maxLength: 2000 } as const

function Source({ upload, isDisabled }: UploadFieldsProps) {
  const { register, formState } = upload.form
  if (upload.method === 'file')
    return (
      <FilesField
        files={upload.files}
        limitBytes={upload.limitBytes}
        onAdd={upload.addFiles}
        onRemove={upload.removeFile}
        isDisabled={isDisabled}
      />
    )
  return (
    <Field
      label={t('URL')}
      isRequired
      hint={t('The server fetches the file. Its address and the date are kept as evidence of the license.')}
      error={formState.errors.url?.message}
    >
      <Input {...register('url')} {...URL_INPUT} autoFocus />
    </Field>
  )
}

function AiSuggestions({ upload }: { upload: UploadFormState }) {
  const hint = useId()
  return (
    <div>
      <Checkbox {...upload.form.register('use_ai')} label={t('Use AI suggestions')} aria-describedby={hint} />
      <p id={hint} className="ps-6 text-caption text-ink-3">
        {t('If you leave the title, tags or description empty, they are suggested from the file.')}
      </p>
    </div>
  )
}

/** A field for tags as one text, with suggestions for the last tag. */
function TagsField({ upload: { form } }: { upload: UploadFormState }) {
  const listId = useId()
  const { former, typed } = splitLastTag(form.watch('tags'))
  const search = typed.toLowerCase()
  const { data = [] } = useQuery({
    ...tagsQuery(search),
    enabled: search !== '' && search.length <= TAG_MAX_LENGTH,
  })
  return (
    <Field label={t('Tags')} hint={t('Separated by commas.')} error={form.formState.errors.tags?.message}>
      <Input {...form.register('tags')} dir="auto" list={listId} autoComplete="off" />
      <datalist id={listId}>
        {data
          .filter(({ tag }) => tag !== search)
          .map(({ tag }) => (
            // Choosing a suggestion replaces the whole text, so each option starts with the earlier tags.
            <option key={tag} value={`${former}${tag}`} />
          ))}
      </datalist>
    </Field>
  )
}

/**
 * The field for the title of a single model. Several files get titles from their names; the field then keeps
 * its text.
 */
function TitleField({ upload: { form, files, method } }: { upload: UploadFormState }) {
  if (method === 'file' && files.length > 1)
    return (
      <Field
        label={t('Title')}
        hint={t('A title is for a single file. The fields below are for all of them.')}
        className="col-span-full"
      >
        <Input disabled value="" readOnly placeholder={t('From the name of each file')} />
      </Field>
    )
  return (
    <Field
      label={t('Title')}
      hint={t('If you leave it empty, it comes from the name of the file.')}
      error={form.formState.errors.title?.message}
      className="col-span-full"
    >
      <Input {...form.register('title')} maxLength={TITLE_MAX_LENGTH} dir="auto" />
    </Field>
  )
}

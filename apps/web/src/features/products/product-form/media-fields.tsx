import { takeModelPictures } from '@pegasus/contracts/products/setup'
import { useMutation } from '@tanstack/react-query'
import { Box } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { DropArea } from '@/components/drop-area.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { findMedia } from '@/lib/http/uploads/media-storage.ts'
import type { MediaUploads } from '@/lib/http/uploads/use-media-uploads.ts'
import type { FormPartProps } from './form-parts.ts'
import { MediaGrid } from './media-grid.tsx'
import type { ProductForm } from './product-form.ts'
import { UploadRows } from './upload-rows.tsx'
import { nameAdded, shownNames, withAddress } from './product-media-files.ts'
import { t } from '@/lib/i18n/messages.ts'

interface MediaFieldsProps extends FormPartProps {
  uploads: MediaUploads
}

/** Step 2: pictures and videos, from a file, from a URL, or from the library's drawings of a model. */
export function MediaFields({ form, errors, onChange, uploads }: MediaFieldsProps) {
  const [isNaming, setIsNaming] = useState(false)
  const add = async (files: readonly File[]) => {
    setIsNaming(true)
    const there = await findMedia(form.slug)
    const taken = new Set([
      ...there.map(({ name }) => name),
      ...shownNames(form),
      ...uploads.uploads.map(({ name }) => name),
    ])
    const names = nameAdded(form.slug, files, taken)
    uploads.start(files.map((file, at) => ({ file, name: names[at] ?? file.name })))
    setIsNaming(false)
  }
  const error = errors.images ?? errors.videos ?? errors.posterUrl
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={t('Images and videos')}
        error={
          error ?? (form.slug === '' ? t('Files are named after the slug: enter one in step 1 first.') : null)
        }
      >
        <DropArea
          accept="image/*,video/*"
          onFiles={(files) => {
            if (form.slug !== '' && !isNaming) void add(files)
          }}
        >
          {t('Pictures are converted to JPEG without location data. Videos can be WebM, MP4 or MOV files.')}
        </DropArea>
      </Field>
      <UploadRows uploads={uploads} />
      <MediaGrid form={form} onChange={onChange} />
      <FromModels form={form} onChange={onChange} />
      <ByAddress onAdd={(address) => onChange(withAddress(form, address))} />
    </div>
  )
}

/** Copies the pictures that the library has drawn into the public product media. */
function FromModels({ form, onChange }: Pick<FormPartProps, 'form' | 'onChange'>) {
  const { stl_file_ids: modelIds, slug } = form
  const take = useMutation({
    mutationFn: () => takePictures(form),
    onSuccess: onChange,
  })
  if (modelIds.length === 0 || slug === '') return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        icon={<Box size={16} strokeWidth={1.75} aria-hidden />}
        isPending={take.isPending}
        onClick={() => take.mutate()}
      >
        {t('Use pictures from the library')}
      </Button>
      {take.error ? <AlertBox className="min-w-0 flex-1">{take.error.message}</AlertBox> : null}
    </div>
  )
}

/** Adds the library's pictures of a product's first model to the product. Throws an ApiError. */
export async function takePictures(form: ProductForm): Promise<Partial<ProductForm>> {
  const [modelId] = form.stl_file_ids
  if (modelId === undefined) return {}
  const { images, posterUrl } = await callApi(takeModelPictures, {
    body: { stl_file_id: modelId, slug: form.slug },
  })
  return {
    images: [...form.images.filter((each) => !images.includes(each)), ...images],
    posterUrl: form.posterUrl || (posterUrl ?? images[0] ?? ''),
  }
}

const isAddress = (text: string): boolean => /^(https?:\/\/|\/(?!\/))/i.test(text)

/** Adds a picture or video that is already on the web. */
function ByAddress({ onAdd }: { onAdd: (address: string) => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The surrounding step is a form as well, and must not be submitted.
    event.stopPropagation()
    const address = text.trim()
    if (!isAddress(address)) return setError(t('An address must begin with https://'))
    onAdd(address)
    setText('')
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <Field label={t('Or add a web address')} error={error} className="flex-1">
        <Input
          type="url"
          value={text}
          placeholder="https://"
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setError(null)
          }}
        />
      </Field>
      <Button type="submit" className="mt-[23px] h-[34px]">
        {t('Add')}
      </Button>
    </form>
  )
}

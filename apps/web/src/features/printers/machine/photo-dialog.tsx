import { deletePrinterPhoto, uploadPrinterPhoto } from '@pegasus/contracts/print-queue/printer-photos'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { DropArea } from '@/components/drop-area.tsx'
import { MediaPicture, useFilePreview } from '@/components/media-picture.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { newIdempotencyKey, uploadWithProgress } from '@/lib/http/uploads/upload.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const PICTURE = 'aspect-video w-full'

/** Sets, replaces or removes the photo of a printer. */
export function PhotoDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const refresh = usePrinterRefresh()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [sending] = useState(() => new AbortController())
  useEffect(() => () => sending.abort(), [sending])
  const save = useMutation({
    mutationFn: (photo: File | null) =>
      photo
        ? uploadWithProgress(uploadPrinterPhoto, {
            params: { id: printer.id },
            fields: {},
            file: photo,
            idempotencyKey: newIdempotencyKey(),
            signal: sending.signal,
            onProgress: () => undefined,
          })
        : callApi(deletePrinterPhoto, { params: { id: printer.id } }),
    onSuccess: (after, photo) => {
      refresh(after)
      toast({
        title: photo
          ? t('{name} has a new photo', { name: after.name })
          : t('The photo of {name} is removed', { name: after.name }),
      })
      onClose()
    },
    onError: (error) => setProblem(errorMessage(error, t('That did not work. Please try again.'))),
  })
  return (
    <Dialog
      isOpen
      title={t('Photo of {name}', { name: printer.name })}
      size="sm"
      onClose={onClose}
      error={problem}
      onSubmit={() => {
        setProblem(file ? null : t('Please choose a photo.'))
        if (file) save.mutate(file)
      }}
      footer={
        <>
          {printer.photo_path ? (
            <Button variant="danger" isPending={save.isPending} onClick={() => save.mutate(null)}>
              {t('Remove photo')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {file ? (
          <ChosenPhoto key={`${file.name} ${file.lastModified}`} file={file} />
        ) : printer.photo_path ? (
          <MediaPicture src={printer.photo_path} alt={t('The photo now')} className={PICTURE} />
        ) : null}
        <Field label={t('Photo')}>
          <DropArea
            accept="image/jpeg,image/png,image/webp,image/avif"
            isSingle
            chosen={file?.name ?? null}
            onFiles={([first]) => {
              setFile(first ?? null)
              setProblem(null)
            }}
          >
            {t('JPEG, PNG, WebP or AVIF, up to 20 MB')}
          </DropArea>
        </Field>
      </div>
    </Dialog>
  )
}

const ChosenPhoto = ({ file }: { file: File }) => (
  <MediaPicture src={useFilePreview(file)} alt={t('The chosen photo')} className={PICTURE} />
)

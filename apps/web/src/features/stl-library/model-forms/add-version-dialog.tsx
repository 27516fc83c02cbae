import type { Model } from '@pegasus/contracts/stl-library/models'
import { addModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { formatKb } from '@/lib/format/format.ts'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { newIdempotencyKey, uploadWithProgress } from '@/lib/http/uploads/upload.ts'
import { MODELS_KEY } from '../stl-library.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const NOTE_MAX_LENGTH = 2000

interface AddVersionDialogProps {
  model: Model
  onClose: () => void
}

/** Uploads a new version of a model. Title, tags and license stay. If the upload fails, the input is kept. */
export function AddVersionDialog({ model, onClose }: AddVersionDialogProps) {
  const [file, setFile] = useState<File | null>(null)
  const [note, setNote] = useState('')
  const { send, stop, sentBytes, error, setError } = useVersionUpload(model, onClose)
  const isSending = sentBytes !== null
  useLeaveWarning(isSending)
  const handleSubmit = () => {
    if (!file) return setError(t('Please select a file to upload.'))
    void send(file, note.trim())
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Upload new version')}
      description={<bdi>{model.title}</bdi>}
      isDismissible={!isSending}
      error={error}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={isSending ? stop : onClose}>{isSending ? t('Cancel upload') : t('Cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isSending}>
            {isSending ? t('Uploading…') : t('Upload')}
          </Button>
        </>
      }
    >
      <fieldset disabled={isSending} className="flex flex-col gap-4">
        <Field
          label={t('File')}
          isRequired
          hint={t('STL, 3MF or OBJ. The file becomes the current version.')}
        >
          <Input
            type="file"
            accept=".stl,.3mf,.obj"
            className="[&_input]:py-1.5 [&_input]:file:me-3 [&_input]:file:border-0 [&_input]:file:bg-transparent [&_input]:file:font-medium"
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null)
              setError(null)
            }}
          />
        </Field>
        <Field label={t('Note')} hint={t('What changed in this version.')}>
          <Textarea
            rows={2}
            value={note}
            maxLength={NOTE_MAX_LENGTH}
            dir="auto"
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {isSending && file ? (
          <div>
            <Progress label={t('Uploading')} value={file.size > 0 ? sentBytes / file.size : 1} />
            <p className="mt-1.5 text-caption text-ink-2">
              {t('{sentBytes} of {file}', { sentBytes: formatKb(sentBytes), file: formatKb(file.size) })}
            </p>
          </div>
        ) : null}
      </fieldset>
    </Dialog>
  )
}

/** The state of the upload; only one runs at a time. `sentBytes` is null if none is running. */
function useVersionUpload(model: Model, onDone: () => void) {
  const client = useQueryClient()
  const [sentBytes, setSentBytes] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  /** A second submit without a change is a retry and keeps the idempotency key. */
  const last = useRef<{ file: File; note: string; key: string }>(null)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (file: File, note: string) => {
    const isRetry = last.current?.file === file && last.current.note === note
    if (!isRetry) last.current = { file, note, key: newIdempotencyKey() }
    const controller = new AbortController()
    running.current = controller
    setError(null)
    setSentBytes(0)
    try {
      const saved = await uploadWithProgress(addModelVersion, {
        params: { id: model.id },
        fields: { note },
        file,
        idempotencyKey: last.current?.key ?? newIdempotencyKey(),
        signal: controller.signal,
        onProgress: setSentBytes,
      })
      void client.invalidateQueries({ queryKey: MODELS_KEY })
      toast({ title: t('Version {version} is current', { version: saved.version }) })
      onDone()
    } catch (failure) {
      setSentBytes(null)
      if (!controller.signal.aborted) setError(errorDetail(failure, t('Failed to upload. Please try again.')))
    }
  }
  return { send, stop: () => running.current?.abort(), sentBytes, error, setError }
}

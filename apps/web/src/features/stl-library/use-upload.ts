import type { StlFile } from '@pegasus/contracts/stl-files'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, errorDetail } from '@/lib/api-error.ts'
import { useConfig } from '@/lib/config.ts'
import { newIdempotencyKey } from '@/lib/upload.ts'
import { useUploadModel } from './stl-library.queries.ts'
import {
  EMPTY_UPLOAD_FORM,
  fileError,
  submitSignature,
  type UploadForm,
  uploadFields,
} from './upload-form.ts'

export interface UploadState {
  sentBytes: number
  totalBytes: number
  elapsedMs: number
}

/**
 * Everything the upload dialog does: its form, its one upload at a time, what failed and how far it is. It belongs to
 * the page, so that a dialog closed by accident opens again with what was typed.
 */
export function useUpload(onDone: (added: StlFile) => void) {
  const form = useForm<UploadForm>({ defaultValues: EMPTY_UPLOAD_FORM })
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [progress, setProgress] = useState<UploadState | null>(null)
  const uploadModel = useUploadModel()
  const limitBytes = useConfig()?.upload_limit_bytes ?? null
  const running = useRef<AbortController | null>(null)
  const lastSubmit = useRef({ signature: '', idempotencyKey: '' })

  const send = async (values: UploadForm) => {
    const problem = fileError(file, limitBytes)
    setError(problem)
    if (!file || problem) return
    const controller = new AbortController()
    running.current = controller
    const startedAt = performance.now()
    const report = (sentBytes: number) =>
      setProgress({ sentBytes, totalBytes: file.size, elapsedMs: performance.now() - startedAt })
    report(0)
    try {
      const added = await uploadModel.mutateAsync({
        fields: uploadFields(values),
        file,
        idempotencyKey: keyFor(lastSubmit.current, submitSignature(values, file)),
        signal: controller.signal,
        onProgress: report,
      })
      reset()
      // An archive or an address becomes an import, which tells by itself how far it is.
      if ('license_type' in added) onDone(added)
    } catch (cause) {
      if (!controller.signal.aborted) showFailure(cause)
    } finally {
      setProgress(null)
    }
  }

  /** Rules that a field broke stand at that field; the sentence stands in the footer in any case. */
  const showFailure = (cause: unknown) => {
    setError(errorDetail(cause, 'Failed to upload. Please try again.'))
    for (const { path, message } of cause instanceof ApiError ? cause.errors : [])
      if (path in EMPTY_UPLOAD_FORM) form.setError(path as keyof UploadForm, { message })
  }

  const reset = () => {
    form.reset(EMPTY_UPLOAD_FORM)
    setFile(null)
    setError(null)
  }

  return {
    form,
    file,
    error,
    progress,
    chooseFile: (chosen: File) => {
      setFile(chosen)
      setError(fileError(chosen, limitBytes))
    },
    submit: () => void form.handleSubmit(send)(),
    /** Stops the upload under way; everything typed stays. */
    stop: () => running.current?.abort(),
    /** Empties the form. */
    reset,
  }
}

export type Upload = ReturnType<typeof useUpload>

/** The key of the last submit while nothing changed since, else a new one. */
function keyFor(last: { signature: string; idempotencyKey: string }, signature: string): string {
  if (last.signature !== signature) Object.assign(last, { signature, idempotencyKey: newIdempotencyKey() })
  return last.idempotencyKey
}

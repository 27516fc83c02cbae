import { uploadModel } from '@pegasus/contracts/stl-library/upload'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ApiError, errorDetail } from '@/lib/http/api-error.ts'
import { useConfig } from '@/lib/http/config.ts'
import { newIdempotencyKey, uploadWithProgress } from '@/lib/http/uploads/upload.ts'
import {
  addFiles,
  EMPTY_UPLOAD_FORM,
  fieldProblems,
  type FieldProblem,
  filesError,
  findProblems,
  submitSignature,
  type UploadForm,
  uploadFields,
} from './upload-form.ts'
import { isModel, isUnderWay, UPLOAD_FAILED, type UploadJob } from './upload-queue.ts'
import { useUploadJobs, useUploads } from './uploads-context.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * The state of the upload dialog: form, files and errors. With a single file, the dialog stays open until the
 * file has arrived, so that no typed text is lost if it is refused. Several files continue in the tray, each
 * with its own result.
 */
export function useUploadForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { queue, follow, opened } = useUploads()
  const jobs = useUploadJobs()
  const form = useForm<UploadForm>({ defaultValues: EMPTY_UPLOAD_FORM })
  const method = useWatch({ control: form.control, name: 'upload_method' })
  const [isLicenseChosen, setIsLicenseChosen] = useState(false)
  const license = useWatch({ control: form.control, name: 'license_type' })
  const [files, setFiles] = useState<readonly File[]>([])
  const [error, setError] = useState<string | null>(null)
  const [watchedId, setWatchedId] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const limitBytes = useConfig()?.upload_limit_bytes ?? null
  const lastSubmit = useRef({ signature: '', idempotencyKey: '' })
  const asking = useRef<AbortController | null>(null)

  const stopAsking = () => {
    asking.current?.abort()
    asking.current = null
    setIsAsking(false)
  }

  const reset = () => {
    // A late response must not clear text that was typed later.
    stopAsking()
    form.reset(EMPTY_UPLOAD_FORM)
    setIsLicenseChosen(false)
    setFiles([])
    setError(null)
  }
  const finish = () => {
    setWatchedId(null)
    reset()
    onClose()
  }

  /** Shows each validation error next to its field. The footer always shows the message. */
  const showProblems = (sentence: string, problems: readonly FieldProblem[]) => {
    setError(sentence)
    for (const { path, message } of problems) form.setError(path, { message })
  }

  const settle = useEffectEvent((job: UploadJob | undefined) => {
    if (job && isUnderWay(job)) return
    setWatchedId(null)
    if (job?.state.status === 'arrived') return finish()
    if (job?.state.status === 'import') {
      opened.open(job.state.importId)
      return finish()
    }
    if (!job) return
    // The upload continues in this dialog, not in the tray.
    queue.remove(job.id)
    if (job.state.status === 'failed') showProblems(job.state.message, fieldProblems(job.state.errors))
  })
  useEffect(() => {
    if (!watchedId || !isOpen) return
    const look = () => settle(queue.getJobs().find(({ id }) => id === watchedId))
    look()
    return queue.subscribe(look)
  }, [queue, watchedId, isOpen])

  const sendFiles = (fields: Record<string, string>) => {
    const problem = filesError(files, limitBytes)
    if (problem) return setError(problem)
    const [only] = files
    if (files.length > 1 || !only) {
      queue.add(files, fields)
      return finish()
    }
    const key = keyFor(lastSubmit.current, submitSignature(fields, only))
    const [job] = queue.add(files, fields, key)
    setWatchedId(job?.id ?? null)
  }

  const askForAddress = async (fields: Record<string, string>) => {
    const controller = new AbortController()
    asking.current = controller
    setIsAsking(true)
    try {
      const result = await uploadWithProgress(uploadModel, {
        fields,
        file: null,
        idempotencyKey: keyFor(lastSubmit.current, submitSignature(fields, null)),
        signal: controller.signal,
        onProgress: () => undefined,
      })
      if (!isModel(result)) follow(result)
      // Files that were dropped in the meantime are in a new form, which must stay open.
      if (form.getValues('upload_method') === 'url') finish()
    } catch (cause) {
      if (controller.signal.aborted) return
      showProblems(
        errorDetail(cause, UPLOAD_FAILED),
        fieldProblems(cause instanceof ApiError ? cause.errors : []),
      )
    } finally {
      if (asking.current === controller) stopAsking()
    }
  }

  const send = async (values: UploadForm) => {
    setError(null)
    const isByUrl = values.upload_method === 'url'
    if (isByUrl && values.url.trim() === '') return setError(t('Please enter a URL.'))
    if (!isByUrl && files.length === 0) return setError(filesError(files, limitBytes))
    const fields = uploadFields(values, isByUrl ? 1 : files.length)
    const problems = findProblems(fields)
    const [first] = problems
    if (first) return showProblems(first.message, problems)
    if (isByUrl) await askForAddress(fields)
    else sendFiles(fields)
  }

  return {
    form,
    method,
    license,
    isLicenseChosen,
    noteLicense: () => setIsLicenseChosen(true),
    files,
    limitBytes,
    error,
    /** True if the server is checking the URL, which takes a moment. */
    isAsking,
    /** The running upload of a single file. */
    watched: jobs.find(({ id }) => id === watchedId) ?? null,
    chooseMethod: (next: UploadForm['upload_method']) => {
      form.setValue('upload_method', next)
      setError(null)
    },
    addFiles: (more: readonly File[]) => {
      const next = addFiles(watchedId ? [] : files, more)
      if (watchedId) {
        // Continue the running upload in the tray, and start a new form with these files.
        setWatchedId(null)
        reset()
      }
      form.setValue('upload_method', 'file')
      setFiles(next)
      setError(filesError(next, limitBytes))
    },
    removeFile: (file: File) => {
      setFiles(files.filter((each) => each !== file))
      setError(null)
    },
    submit: () => void form.handleSubmit(send)(),
    /** Cancels the running upload. The typed text stays. */
    stop: () => watchedId && queue.cancel(watchedId),
    /** Continues the running upload in the tray. */
    sendToBackground: finish,
    reset,
  }
}

export type UploadFormState = ReturnType<typeof useUploadForm>

/** Returns the key of the last submission if nothing has changed since then, otherwise a new key. */
function keyFor(last: { signature: string; idempotencyKey: string }, signature: string): string {
  if (last.signature !== signature) Object.assign(last, { signature, idempotencyKey: newIdempotencyKey() })
  return last.idempotencyKey
}

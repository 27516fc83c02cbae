import { useEffect, useEffectEvent, useRef } from 'react'
import { UploadDialog } from './upload-dialog.tsx'
import { useUploadForm } from './use-upload-form.ts'

interface UploadFormHostProps {
  isOpen: boolean
  /** The files that were dropped last. */
  dropped: readonly File[]
  onClose: () => void
}

/** Keeps the upload form, and shows its dialog while it is open. */
export function UploadFormHost({ isOpen, dropped, onClose }: UploadFormHostProps) {
  const upload = useUploadForm({ isOpen, onClose })
  const taken = useRef<readonly File[] | null>(null)
  const takeDropped = useEffectEvent(() => {
    if (dropped.length === 0 || taken.current === dropped) return
    taken.current = dropped
    upload.addFiles(dropped)
  })
  useEffect(() => takeDropped(), [dropped])
  return isOpen ? <UploadDialog upload={upload} onClose={onClose} /> : null
}

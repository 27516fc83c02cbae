import { DropVeil } from './drop-overlay.tsx'
import { UploadDialog } from './upload-dialog.tsx'
import { useDroppedFiles } from './use-dropped-files.ts'
import { useUploadForm } from './use-upload-form.ts'

interface UploadingProps {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** The upload dialog, and dropping files anywhere on the page, for people who may upload. */
export function Uploading({ isOpen, onOpen, onClose }: UploadingProps) {
  const upload = useUploadForm({ isOpen, onClose })
  const isDragging = useDroppedFiles((files) => {
    upload.addFiles(files)
    if (!isOpen) onOpen()
  })
  return (
    <>
      {isOpen ? <UploadDialog upload={upload} onClose={onClose} /> : null}
      {isDragging ? <DropVeil /> : null}
    </>
  )
}

import { Upload } from 'lucide-react'
import { UploadDialog } from './upload-dialog.tsx'
import { useDroppedFiles } from './use-dropped-files.ts'
import { useUploadForm } from './use-upload-form.ts'

interface UploadAreaProps {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** The upload dialog, and dropping files anywhere on the page, for people who may upload. */
export function UploadArea({ isOpen, onOpen, onClose }: UploadAreaProps) {
  const upload = useUploadForm({ isOpen, onClose })
  const isDragging = useDroppedFiles((files) => {
    upload.addFiles(files)
    if (!isOpen) onOpen()
  })
  return (
    <>
      {isOpen ? <UploadDialog upload={upload} onClose={onClose} /> : null}
      {isDragging ? <DropOverlay /> : null}
    </>
  )
}

/** Says that dropping here adds the files to the library. */
const DropOverlay = () => (
  <div
    className="pointer-events-none fixed inset-3 z-50 grid animate-enter place-items-center rounded-dialog border-2 border-dashed border-accent bg-accent-soft/80"
    aria-hidden
  >
    <p className="flex items-center gap-2 rounded-control bg-surface px-4 py-3 text-body font-semibold text-accent-ink shadow-float">
      <Upload size={16} strokeWidth={1.75} />
      Drop files or a folder to add them to the library
    </p>
  </div>
)

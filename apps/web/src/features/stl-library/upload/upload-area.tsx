import { Upload } from 'lucide-react'
import { useState } from 'react'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { useDroppedFiles } from './use-dropped-files.ts'
import { t } from '@/lib/i18n/messages.ts'

const UploadForm = onDemand(async () => (await import('./upload-form-host.tsx')).UploadFormHost)

interface UploadAreaProps {
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** The upload dialog, and the drop area that covers the whole page, for people who may upload. */
export function UploadArea({ isOpen, onOpen, onClose }: UploadAreaProps) {
  /** The files of the last drop. Each drop has a new array. */
  const [dropped, setDropped] = useState<readonly File[]>([])
  // The form is mounted when it is first opened, and stays mounted, because it keeps the typed text while it
  // is closed.
  const [hasForm, setHasForm] = useState(isOpen)
  if (isOpen && !hasForm) setHasForm(true)
  const isDragging = useDroppedFiles((files) => {
    setDropped(files)
    setHasForm(true)
    if (!isOpen) onOpen()
  })
  return (
    <>
      {hasForm ? <UploadForm isOpen={isOpen} dropped={dropped} onClose={onClose} /> : null}
      {isDragging ? <DropOverlay /> : null}
    </>
  )
}

/** A message that files dropped here are added to the library. */
const DropOverlay = () => (
  <div
    className="pointer-events-none fixed inset-3 z-50 grid animate-enter place-items-center rounded-dialog border-2 border-dashed border-accent bg-accent-soft/80"
    aria-hidden
  >
    <p className="flex items-center gap-2 rounded-control bg-surface px-4 py-3 text-body font-semibold text-accent-ink shadow-float">
      <Upload size={16} strokeWidth={1.75} />
      {t('Drop files or a folder to add them to the library')}
    </p>
  </div>
)

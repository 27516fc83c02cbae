import { Upload as UploadIcon } from 'lucide-react'
import { Button } from '@/components/ui/button.tsx'
import { Dialog } from '@/components/ui/dialog.tsx'
import { UploadFields } from './upload-fields.tsx'
import { UploadProgress } from './upload-progress-bar.tsx'
import type { Upload } from './use-upload.ts'

interface UploadDialogProps {
  upload: Upload
  onClose: () => void
}

/** Adds a model to the library. What fails keeps the dialog open with everything that was typed. */
export function UploadDialog({ upload, onClose }: UploadDialogProps) {
  const { progress } = upload
  const handleCancel = () => {
    upload.reset()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Upload STL"
      isDismissible={progress === null}
      error={progress ? null : upload.error}
      onSubmit={upload.submit}
      footer={
        <>
          <Button onClick={progress ? upload.stop : handleCancel}>
            {progress ? 'Cancel upload' : 'Cancel'}
          </Button>
          <Button
            type="submit"
            variant="primary"
            isPending={progress !== null}
            icon={<UploadIcon size={16} strokeWidth={1.75} aria-hidden />}
          >
            {progress ? 'Uploading…' : 'Upload'}
          </Button>
        </>
      }
    >
      <UploadFields upload={upload} isDisabled={progress !== null} />
      {progress ? <UploadProgress {...progress} /> : null}
    </Dialog>
  )
}

import { Upload as UploadIcon } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { UploadFields } from './upload-fields.tsx'
import { SendingBar } from './tray/upload-progress-bar.tsx'
import type { UploadFormState } from './use-upload-form.ts'
import { t } from '@/lib/i18n/messages.ts'

interface UploadDialogProps {
  upload: UploadFormState
  onClose: () => void
}

/** Adds models to the library. If this fails, the dialog stays open with all typed text. */
export function UploadDialog({ upload, onClose }: UploadDialogProps) {
  const { watched } = upload
  const handleCancel = () => {
    upload.reset()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={watched ? upload.sendToBackground : onClose}
      title={t('Upload STL')}
      error={watched ? null : upload.error}
      onSubmit={upload.submit}
      footer={
        watched ? (
          <>
            <Button onClick={upload.stop}>{t('Cancel upload')}</Button>
            <Button variant="primary" onClick={upload.sendToBackground}>
              {t('Continue in background')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={handleCancel}>{t('Cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              isPending={upload.isAsking}
              icon={<UploadIcon size={16} strokeWidth={1.75} aria-hidden />}
            >
              {t('Upload')}
            </Button>
          </>
        )
      }
    >
      <UploadFields upload={upload} isDisabled={watched !== null || upload.isAsking} />
      {watched ? <SendingBar job={watched} /> : null}
    </Dialog>
  )
}

import type { StlFile } from '@pegasus/contracts/stl-files'
import { useSearchParams } from 'react-router'
import { toast } from '@/components/ui/toast-store.ts'
import { withModel, withUpload } from './library-address.ts'
import { type Upload, useUpload } from './use-upload.ts'

interface UploadDialogState {
  upload: Upload
  isOpen: boolean
  open: () => void
  close: () => void
}

/** The upload dialog, open while the address says so, and what is told once a model is in. */
export function useUploadDialog(): UploadDialogState {
  const [params, setParams] = useSearchParams()
  const close = () => setParams((now) => withUpload(now, false), { replace: true })
  const handleAdded = (added: StlFile) => {
    close()
    const twin = added.duplicate_of
    toast({
      title: twin ? 'The same file is already in the library; it was added again' : `Added “${added.title}”`,
      action: {
        label: twin ? 'View the other' : 'View',
        onSelect: () => setParams((now) => withModel(now, twin ?? added.id)),
      },
    })
  }
  return {
    upload: useUpload(handleAdded),
    isOpen: params.has('upload'),
    open: () => setParams((now) => withUpload(now, true)),
    close,
  }
}

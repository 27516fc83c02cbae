import { hasRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useMutation } from '@tanstack/react-query'
import { Download, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { downloadModel } from '../fields/model-file.ts'
import { EditModelDialog } from '../model-forms/edit-model-dialog.tsx'
import { useDeleteModel } from '../model-forms/model-mutations.ts'

/** The actions on a model. Viewers can only download it. */
export function ModelActions({ model, onRemove }: { model: Model; onRemove: () => void }) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [isEditing, setIsEditing] = useState(false)
  const remove = useDeleteModel()
  return (
    <>
      {canChange ? (
        <IconButton
          label="Delete model"
          className="text-red-ink!"
          onClick={() => {
            onRemove()
            remove.mutate(model)
          }}
        >
          <Trash2 size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      ) : null}
      <DownloadButton model={model} />
      {canChange ? (
        <Button
          variant="primary"
          icon={<Pencil size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => setIsEditing(true)}
        >
          Edit
        </Button>
      ) : null}
      {isEditing ? <EditModelDialog model={model} onClose={() => setIsEditing(false)} /> : null}
    </>
  )
}

function DownloadButton({ model }: { model: Pick<Model, 'id' | 'file_name'> }) {
  const download = useMutation({
    mutationFn: () => downloadModel(model),
    onError: (error) =>
      toast({
        title: errorMessage(error, 'Failed to download. Please try again.'),
        action: { label: 'Retry', onSelect: () => download.mutate() },
      }),
  })
  return (
    <Button
      onClick={() => download.mutate()}
      isPending={download.isPending}
      icon={<Download size={16} strokeWidth={1.75} aria-hidden />}
      title={model.file_name}
    >
      Download
    </Button>
  )
}

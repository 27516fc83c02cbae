import type { ApiKey } from '@pegasus/contracts/api-keys'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { errorDetail } from '@/lib/http/api-error.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import type { KeyActions } from './use-key-actions.ts'

interface DeleteKeyDialogProps {
  /** The key to delete; null if there is none. */
  apiKey: ApiKey | null
  actions: KeyActions
  onClose: () => void
  onDeleted: () => void
}

export function DeleteKeyDialog({ apiKey, actions, onClose, onDeleted }: DeleteKeyDialogProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  if (!apiKey) return null

  const remove = async () => {
    setIsDeleting(true)
    setFailure(null)
    try {
      await actions.remove(apiKey)
      onDeleted()
    } catch (error) {
      setFailure(errorDetail(error, 'The key is still there. Please try again.'))
    }
    setIsDeleting(false)
  }

  return (
    <FormDialog
      state={{ failure, isPending: isDeleting, hasChanges: false, submit: remove }}
      submitLabel="Delete for good"
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      size="sm"
      title="Delete API key"
    >
      <p className="text-ink-2">
        <strong className="font-semibold text-ink">
          <bdi>{apiKey.label}</bdi>
        </strong>{' '}
        (<code>{apiKey.key_prefix}…</code>) stops working at once, and cannot be brought back.{' '}
        {apiKey.usage_count > 0
          ? `It was used ${formatNumberOf(apiKey.usage_count, 'time')}.`
          : 'It was never used.'}
      </p>
    </FormDialog>
  )
}

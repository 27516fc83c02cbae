import type { ApiKey } from '@pegasus/contracts/api-keys'
import { useState } from 'react'
import { errorDetail } from '@/lib/http/api-error.ts'
import { EndKeyDialog } from './end-key-dialog.tsx'
import type { KeyActions } from './use-key-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

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
      setFailure(errorDetail(error, t('The key was not deleted. Please try again.')))
    }
    setIsDeleting(false)
  }

  return (
    <EndKeyDialog
      title={t('Delete API key')}
      submitLabel={t('Delete for good')}
      label={apiKey.label}
      hint={`${apiKey.key_prefix}…`}
      failure={failure}
      isPending={isDeleting}
      onSubmit={remove}
      onClose={onClose}
    >
      {apiKey.usage_count > 0
        ? t('It was used {usage_count, plural, one {# time} other {# times}}.', {
            usage_count: apiKey.usage_count,
          })
        : t('It was never used.')}
    </EndKeyDialog>
  )
}

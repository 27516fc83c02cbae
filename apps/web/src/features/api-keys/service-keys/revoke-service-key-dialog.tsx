import { type ServiceKey, revokeServiceKey } from '@pegasus/contracts/service-keys'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { EndKeyDialog } from '../end-key-dialog.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface RevokeServiceKeyDialogProps {
  serviceKey: ServiceKey
  onClose: () => void
  onRevoked: () => void
}

export function RevokeServiceKeyDialog({ serviceKey, onClose, onRevoked }: RevokeServiceKeyDialogProps) {
  const { id, label, key_hint: hint } = serviceKey
  const revoking = useMutation({
    mutationFn: () => callApi(revokeServiceKey, { params: { id } }),
    onSuccess: onRevoked,
  })
  const failure = revoking.error
    ? errorDetail(revoking.error, t('The key was not revoked, and still works. Please try again.'))
    : null
  return (
    <EndKeyDialog
      title={t('Revoke service key')}
      submitLabel={t('Revoke for good')}
      label={label}
      hint={hint}
      failure={failure}
      isPending={revoking.isPending}
      onSubmit={() => revoking.mutateAsync().catch(() => undefined)}
      onClose={onClose}
    />
  )
}

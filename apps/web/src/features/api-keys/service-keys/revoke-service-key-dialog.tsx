import { type ServiceKey, revokeServiceKey } from '@pegasus/contracts/service-keys'
import { useMutation } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'

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
    ? errorDetail(revoking.error, 'The key still works. Please try again.')
    : null
  return (
    <FormDialog
      state={{
        failure,
        isPending: revoking.isPending,
        hasChanges: false,
        submit: async () => {
          await revoking.mutateAsync().catch(() => undefined)
        },
      }}
      submitLabel="Revoke for good"
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      size="sm"
      title="Revoke service key"
    >
      <p className="text-ink-2">
        <strong className="font-semibold text-ink">
          <bdi>{label}</bdi>
        </strong>{' '}
        (<code>{hint}</code>) stops working at once, and cannot be brought back.
      </p>
    </FormDialog>
  )
}

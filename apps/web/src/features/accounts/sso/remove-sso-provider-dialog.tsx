import { type SsoProvider, deleteSsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { useMutation } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { formatNumberOf } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'

interface RemoveSsoProviderDialogProps {
  provider: SsoProvider
  onClose: () => void
  onRemoved: () => void
}

export function RemoveSsoProviderDialog({ provider, onClose, onRemoved }: RemoveSsoProviderDialogProps) {
  const { id, entity_id: name, accounts } = provider
  const removing = useMutation({
    mutationFn: () => callApi(deleteSsoProvider, { params: { id } }),
    onSuccess: onRemoved,
  })
  const failure = removing.error
    ? errorDetail(removing.error, 'The provider was not removed. Please try again.')
    : null
  return (
    <FormDialog
      state={{
        failure,
        isPending: removing.isPending,
        hasChanges: false,
        submit: () => removing.mutateAsync().catch(() => undefined),
      }}
      submitLabel="Remove provider"
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      size="sm"
      title="Remove SAML provider"
    >
      <p className="text-ink-2 wrap-anywhere">
        Nobody will be able to sign in through <strong className="font-semibold text-ink">{name}</strong>.{' '}
        {accounts > 0
          ? `The sessions and API keys of ${formatNumberOf(accounts, 'account')} will end. The accounts will remain, but nobody can sign in to them.`
          : 'It has no accounts.'}
      </p>
    </FormDialog>
  )
}

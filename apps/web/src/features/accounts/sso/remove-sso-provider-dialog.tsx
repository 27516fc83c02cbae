import { type SsoProvider, deleteSsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { useMutation } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

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
    ? errorDetail(removing.error, t('The provider was not removed. Please try again.'))
    : null
  return (
    <FormDialog
      state={{
        failure,
        isPending: removing.isPending,
        hasChanges: false,
        submit: () => removing.mutateAsync().catch(() => undefined),
      }}
      submitLabel={t('Remove provider')}
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      size="sm"
      title={t('Remove SAML provider')}
    >
      <p className="text-ink-2 wrap-anywhere">
        {rich('Nobody will be able to sign in through {name}. {accounts}', {
          name: <strong className="font-semibold text-ink">{name}</strong>,
          accounts:
            accounts > 0
              ? t(
                  'The sessions and API keys of {accounts, plural, one {# account} other {# accounts}} will end. The accounts will remain, but nobody can sign in to them.',
                  { accounts },
                )
              : t('It has no accounts.'),
        })}
      </p>
    </FormDialog>
  )
}

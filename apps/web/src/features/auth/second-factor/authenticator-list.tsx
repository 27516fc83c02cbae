import { useMutation } from '@tanstack/react-query'
import { KeyRound, MessageSquareText, Smartphone } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatDate } from '@/lib/format/format.ts'
import { type Authenticator, removeAuthenticator } from '@/lib/session/factors/second-factor.ts'
import { describeFactorError } from './code-message.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AuthenticatorListProps {
  authenticators: readonly Authenticator[]
  onRemoved: () => void
}

const NAMES: Readonly<Record<string, string>> = {
  totp: t('Authenticator app'),
  webauthn: t('Security key'),
  phone: t('Phone'),
}

export const nameOf = ({ friendly_name: name, factor_type: type }: Authenticator): string =>
  name || (NAMES[type] ?? t('Second factor'))

const ICON_LOOK = { size: 18, strokeWidth: 1.6, className: 'shrink-0 text-ink-3', 'aria-hidden': true }
const ICONS: Readonly<Record<string, ComponentType<typeof ICON_LOOK>>> = {
  totp: Smartphone,
  phone: MessageSquareText,
}

function AuthenticatorIcon({ of: { factor_type: type } }: { of: Authenticator }) {
  const Icon = ICONS[type] ?? KeyRound
  return <Icon {...ICON_LOOK} />
}

export function AuthenticatorList({ authenticators, onRemoved }: AuthenticatorListProps) {
  const [leaving, setLeaving] = useState<Authenticator | null>(null)
  return (
    <>
      <ul aria-label={t('Authenticators')} className="flex flex-col divide-y divide-line">
        {authenticators.map((authenticator) => (
          <li key={authenticator.id} className="flex items-center gap-3 px-3 py-2.5">
            <AuthenticatorIcon of={authenticator} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{nameOf(authenticator)}</p>
              <p className="text-caption text-ink-3">
                {t('Added {created_at}', { created_at: formatDate(authenticator.created_at) })}
              </p>
            </div>
            <Button
              size="sm"
              aria-label={t('Remove {authenticator}', { authenticator: nameOf(authenticator) })}
              onClick={() => setLeaving(authenticator)}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
      {leaving ? (
        <RemoveDialog
          authenticator={leaving}
          isLast={authenticators.length === 1}
          onClose={() => setLeaving(null)}
          onRemoved={onRemoved}
        />
      ) : null}
    </>
  )
}

interface RemoveDialogProps {
  authenticator: Authenticator
  isLast: boolean
  onClose: () => void
  onRemoved: () => void
}

function RemoveDialog({ authenticator, isLast, onClose, onRemoved }: RemoveDialogProps) {
  const name = nameOf(authenticator)
  const remove = useMutation({
    mutationFn: () => removeAuthenticator(authenticator.id),
    onSuccess: () => {
      onClose()
      onRemoved()
      toast({ title: t('{name} removed', { name }) })
    },
  })
  return (
    <ConfirmDialog
      title={t('Remove “{name}”?', { name })}
      keepLabel={t('Keep it')}
      confirmLabel={isLast ? t('Turn off two-factor') : t('Remove authenticator')}
      isPending={remove.isPending}
      error={remove.error && describeFactorError(remove.error)}
      onConfirm={remove.mutate}
      onClose={onClose}
    >
      {isLast
        ? t('Then only the password protects your account. Your recovery codes also stop working.')
        : t('It stops working at once. Your other authenticators and your recovery codes still work.')}
    </ConfirmDialog>
  )
}

import { useMutation } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatDate } from '@/lib/format/format.ts'
import { type Authenticator, isApp, removeAuthenticator } from '@/lib/session/second-factor.ts'
import { describeFactorError } from './code-message.ts'

interface AuthenticatorListProps {
  authenticators: readonly Authenticator[]
  onRemoved: () => void
}

export const nameOf = (authenticator: Authenticator): string =>
  authenticator.friendly_name || (isApp(authenticator) ? 'Authenticator app' : 'Security key')

const ICON_LOOK = { size: 18, strokeWidth: 1.6, className: 'shrink-0 text-ink-3', 'aria-hidden': true }

export function AuthenticatorList({ authenticators, onRemoved }: AuthenticatorListProps) {
  const [leaving, setLeaving] = useState<Authenticator | null>(null)
  return (
    <>
      <ul aria-label="Authenticators" className="flex flex-col divide-y divide-line">
        {authenticators.map((authenticator) => (
          <li key={authenticator.id} className="flex items-center gap-3 px-3 py-2.5">
            {isApp(authenticator) ? <Smartphone {...ICON_LOOK} /> : <KeyRound {...ICON_LOOK} />}
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{nameOf(authenticator)}</p>
              <p className="text-caption text-ink-3">Added {formatDate(authenticator.created_at)}</p>
            </div>
            <Button
              size="sm"
              aria-label={`Remove ${nameOf(authenticator)}`}
              onClick={() => setLeaving(authenticator)}
            >
              Remove
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
      toast({ title: `${name} removed` })
    },
  })
  return (
    <ConfirmDialog
      title={`Remove “${name}”?`}
      keepLabel="Keep it"
      confirmLabel={isLast ? 'Turn off two-factor' : 'Remove authenticator'}
      isPending={remove.isPending}
      error={remove.error && describeFactorError(remove.error)}
      onConfirm={remove.mutate}
      onClose={onClose}
    >
      {isLast
        ? 'Your account is then protected by its password alone, and your recovery codes end too.'
        : 'It stops working at once. Your other authenticators and your recovery codes stay.'}
    </ConfirmDialog>
  )
}

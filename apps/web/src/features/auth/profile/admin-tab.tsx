import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { lastLogin } from './profile-head.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { Section } from './section.tsx'
import { useProjectUrl } from '@/lib/http/config.ts'
import { t } from '@/lib/i18n/messages.ts'
import { roleLabel } from '@/lib/i18n/roles.ts'

/**
 * The tab with functions for other people's accounts, and data for support requests. The passwords of a hosted project
 * are set there.
 */
export function AdminTab({ user }: { user: CurrentUser }) {
  const [isResetting, setIsResetting] = useState(false)
  const isInProject = useProjectUrl() !== null
  return (
    <div className="flex flex-col gap-6">
      {isInProject ? null : (
        <Section
          title={t('Admin Password Reset')}
          intro={t('Set a new password for somebody who cannot sign in. All their sessions end.')}
        >
          <Button
            icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden />}
            className="self-start phone:self-stretch"
            onClick={() => setIsResetting(true)}
          >
            {t('Reset User Password')}
          </Button>
        </Section>
      )}
      <Section title={t('Debug Information')}>
        <DebugFacts user={user} />
      </Section>
      {isResetting ? <ResetPasswordDialog actor={user} onClose={() => setIsResetting(false)} /> : null}
    </div>
  )
}

function DebugFacts({ user }: { user: CurrentUser }) {
  const facts = [
    [t('User ID'), user.id],
    [t('Role'), roleLabel(user.role)],
    [t('System Access'), user.system_access ? t('Yes') : t('No')],
    [t('Last Login'), lastLogin(user)],
  ]
  return (
    <dl className="grid grid-cols-[128px_1fr] gap-y-2">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 wrap-anywhere code">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

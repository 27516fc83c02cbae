import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { signOut, useCurrentUser } from '@/lib/session/session.ts'
import { ProfileHead } from '../profile/profile-head.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { t } from '@/lib/i18n/messages.ts'

const stay = () => {}

/**
 * Leads people whose role needs a second factor to its setup. The only alternative is to sign out. Calls
 * `onDone` when the person continues after the setup.
 */
export function FactorSetupDialog({ onDone }: { onDone: () => void }) {
  const user = useCurrentUser()
  return (
    <Dialog
      isOpen
      onClose={stay}
      isDismissible={false}
      isFlush
      title={t('User Profile')}
      description={t('Your role needs two-factor authentication. Set it up to continue.')}
      footer={
        <>
          <Button onClick={() => void signOut()}>{t('Sign out')}</Button>
          <Button variant="primary" disabled={user.second_factor_setup_required} onClick={onDone}>
            {t('Continue')}
          </Button>
        </>
      }
    >
      <div className="pt-1.5">
        <ProfileHead user={user} />
      </div>
      <div className="border-t border-line px-6 py-5 phone:px-4">
        <SecondFactorSection />
      </div>
    </Dialog>
  )
}

import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { signOut, useCurrentUser } from '@/lib/session/session.ts'
import { PasswordForm } from '../password-form.tsx'
import { ProfileHead } from './profile-head.tsx'
import { t } from '@/lib/i18n/messages.ts'

const stay = () => {}

/** Forces the person to change a generated password. The only alternative is to sign out. */
export function FirstPasswordDialog() {
  const [isChanged, setIsChanged] = useState(false)
  return (
    <Dialog
      isOpen
      onClose={stay}
      isDismissible={false}
      isFlush
      title={t('User Profile')}
      description={t(
        'Somebody else chose the password that you signed in with, so others may know it. Choose a new password to continue.',
      )}
      footer={isChanged ? undefined : <Button onClick={() => void signOut()}>{t('Sign out')}</Button>}
    >
      <div className="pt-1.5">
        <ProfileHead user={useCurrentUser()} />
      </div>
      <div className="border-t border-line px-6 py-5 phone:px-4">
        <PasswordForm isFocused onStep={(step) => setIsChanged(step === 'changed')} />
      </div>
    </Dialog>
  )
}

import { isAdmin } from '@pegasus/contracts/roles'
import { Tabs } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import type { Language } from '@pegasus/contracts/texts/languages'
import { toastError } from '@/components/toast-error.ts'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { saveLanguage } from '@/lib/session/own-account.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { LanguageSelect } from './language/language-select.tsx'
import { NotificationsTab } from './notifications/notifications-tab.tsx'
import { PasswordForm, type PasswordStep } from './password-form.tsx'
import { AdminTab } from './profile/admin-tab.tsx'
import { ProfileForm } from './profile/profile-form.tsx'
import { ProfileHead } from './profile/profile-head.tsx'
import { Section } from './profile/section.tsx'
import { SecurityTab } from './profile/security-tab.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  const mayReset = isAdmin(user.role)
  const [tab, setTab] = useState(t('Profile'))
  // After a password change the session is about to end. The dialog stays open to explain that.
  const [step, setStep] = useState<PasswordStep>('typing')
  const isLeaving = step === 'changed'
  const openTab = isLeaving ? t('Password') : tab

  function close(): void {
    if (step === 'typing') onClose()
  }

  return (
    <Dialog isOpen onClose={close} isDismissible={!isLeaving} isFlush title={t('User Profile')}>
      <ProfileHead user={user} />
      <Tabs.Root value={openTab} onValueChange={setTab}>
        <Tabs.List
          aria-label={t('Profile')}
          className="flex gap-0.5 overflow-x-auto border-y border-line px-4 [scrollbar-width:none] phone:px-2"
        >
          <TabTrigger label={t('Profile')} isDisabled={isLeaving} />
          {user.sso_managed ? null : <TabTrigger label={t('Password')} isDisabled={false} />}
          <TabTrigger label={t('Security')} isDisabled={isLeaving} />
          <TabTrigger label={t('Notifications')} isDisabled={isLeaving} />
          {mayReset ? <TabTrigger label={t('Admin')} isDisabled={isLeaving} /> : null}
        </Tabs.List>
        <TabPanel label={t('Profile')} open={openTab}>
          <ProfileForm user={user} />
          <Section
            title={t('Language')}
            intro={t(
              'The language of the app in this browser, and of the emails and notifications that you get.',
            )}
          >
            <LanguageSelect onChoose={storeLanguage} />
          </Section>
        </TabPanel>
        {user.sso_managed ? null : (
          <TabPanel label={t('Password')} open={openTab}>
            <PasswordForm isFocused={false} onStep={setStep} />
          </TabPanel>
        )}
        <TabPanel label={t('Security')} open={openTab}>
          <SecurityTab />
        </TabPanel>
        <TabPanel label={t('Notifications')} open={openTab}>
          <NotificationsTab />
        </TabPanel>
        {mayReset ? (
          <TabPanel label={t('Admin')} open={openTab}>
            <AdminTab user={user} />
          </TabPanel>
        ) : null}
      </Tabs.Root>
    </Dialog>
  )
}

/** Stores the language with the account. A failure is shown, and the browser shows the language anyway. */
const storeLanguage = (chosen: Language): Promise<void> => saveLanguage(chosen).catch(toastError)

const TabTrigger = ({ label, isDisabled }: { label: string; isDisabled: boolean }) => (
  <Tabs.Trigger
    value={label}
    disabled={isDisabled}
    className="relative h-10 shrink-0 rounded-t-control px-2.5 font-medium text-ink-2 -outline-offset-2 after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 enabled:hover:text-ink disabled:opacity-55 data-[state=active]:text-ink data-[state=active]:after:bg-accent phone:h-11"
  >
    {label}
  </Tabs.Trigger>
)

interface TabPanelProps {
  label: string
  /** The open tab. */
  open: string
  children: ReactNode
}

/** A tab stays mounted once it has been open, so that typed text is not lost while another tab is shown. */
function TabPanel({ label, open, children }: TabPanelProps) {
  const isOpen = label === open
  const [hasBeenOpen, setHasBeenOpen] = useState(isOpen)
  if (isOpen && !hasBeenOpen) setHasBeenOpen(true)
  return (
    <Tabs.Content
      value={label}
      forceMount
      className="px-6 py-5 -outline-offset-2 data-[state=inactive]:hidden sm:min-h-[436px] phone:min-h-[460px] phone:px-4"
    >
      {hasBeenOpen ? children : null}
    </Tabs.Content>
  )
}

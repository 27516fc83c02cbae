import { isAdmin } from '@pegasus/contracts/roles'
import { Tabs } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Dialog } from '@/components/ui/dialog.tsx'
import { useCurrentUser } from '@/lib/session.ts'
import { PasswordForm } from './password-form.tsx'
import { AdminTab } from './profile/admin-tab.tsx'
import { ProfileForm } from './profile/profile-form.tsx'
import { ProfileHead } from './profile/profile-head.tsx'
import { SecurityTab } from './profile/security-tab.tsx'

export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  const mayReset = isAdmin(user.role)
  // Once the password is changed the session is about to end, and closing would only hide why.
  const [isLeaving, setIsLeaving] = useState(false)
  return (
    <Dialog isOpen onClose={onClose} isDismissible={!isLeaving} isFlush title="User Profile">
      <ProfileHead user={user} />
      <Tabs.Root defaultValue="Profile">
        <Tabs.List
          aria-label="Profile"
          className="flex gap-0.5 overflow-x-auto border-y border-line px-4 [scrollbar-width:none] phone:px-2"
        >
          <TabTrigger label="Profile" />
          <TabTrigger label="Password" />
          <TabTrigger label="Security" />
          {mayReset ? <TabTrigger label="Admin" /> : null}
        </Tabs.List>
        <TabPanel label="Profile">
          <ProfileForm user={user} />
        </TabPanel>
        <TabPanel label="Password">
          <PasswordForm isFocused={false} onChanged={() => setIsLeaving(true)} />
        </TabPanel>
        <TabPanel label="Security">
          <SecurityTab />
        </TabPanel>
        {mayReset ? (
          <TabPanel label="Admin">
            <AdminTab user={user} />
          </TabPanel>
        ) : null}
      </Tabs.Root>
    </Dialog>
  )
}

const TabTrigger = ({ label }: { label: string }) => (
  <Tabs.Trigger
    value={label}
    className="relative h-10 shrink-0 rounded-t-control px-2.5 font-medium text-ink-2 -outline-offset-2 after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 hover:text-ink data-[state=active]:text-ink data-[state=active]:after:bg-accent phone:h-11"
  >
    {label}
  </Tabs.Trigger>
)

const TabPanel = ({ label, children }: { label: string; children: ReactNode }) => (
  <Tabs.Content
    value={label}
    className="px-6 py-5 -outline-offset-2 sm:min-h-[436px] phone:min-h-[460px] phone:px-4"
  >
    {children}
  </Tabs.Content>
)

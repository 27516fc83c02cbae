import type { CurrentUser } from '@pegasus/contracts/auth'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { RoleBadge } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Dialog } from '@/components/ui/dialog.tsx'
import { formatDateTime } from '@/lib/format.ts'
import { signOut, useCurrentUser } from '@/lib/session.ts'
import { PasswordForm } from './password-form.tsx'

interface ProfileDialogProps {
  isOpen: boolean
  onClose: () => void
  /** Shows only the change of password, which nobody can leave but by signing out. */
  mustChangePassword?: boolean
}

export function ProfileDialog({ isOpen, onClose, mustChangePassword = false }: ProfileDialogProps) {
  const user = useCurrentUser()
  // Once the password is changed the session is about to end, and closing would only hide why.
  const [isChanged, setIsChanged] = useState(false)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isDismissible={!mustChangePassword && !isChanged}
      isFlush
      title="User Profile"
      description={
        mustChangePassword
          ? 'The password you signed in with was made for you, and others may know it. Choose one of your own to go on.'
          : undefined
      }
      footer={
        mustChangePassword && !isChanged ? (
          <Button onClick={() => void signOut()}>Sign out</Button>
        ) : undefined
      }
    >
      <ProfileHead user={user} />
      <Tabs.Root defaultValue={mustChangePassword ? 'password' : 'profile'}>
        <Tabs.List aria-label="Profile" className="flex gap-0.5 border-y border-line px-4 phone:px-2">
          <TabTrigger value="profile" label="Profile" />
          <TabTrigger value="password" label="Password" />
        </Tabs.List>
        <Tabs.Content value="profile" className="px-6 py-4 outline-offset-[-2px] phone:px-4">
          <ProfileFacts user={user} />
        </Tabs.Content>
        <Tabs.Content value="password" className="px-6 py-5 outline-offset-[-2px] phone:px-4">
          <PasswordForm isFocused={mustChangePassword} onChanged={() => setIsChanged(true)} />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  )
}

const TabTrigger = ({ value, label }: { value: string; label: string }) => (
  <Tabs.Trigger
    value={value}
    className="relative h-10 rounded-t-control px-2.5 font-medium text-ink-2 -outline-offset-2 after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 hover:text-ink data-[state=active]:text-ink data-[state=active]:after:bg-accent phone:h-11"
  >
    {label}
  </Tabs.Trigger>
)

const lastLogin = (user: CurrentUser): string => (user.last_login ? formatDateTime(user.last_login) : 'Never')

function ProfileHead({ user }: { user: CurrentUser }) {
  return (
    <div className="flex flex-col gap-0.5 px-6 pb-4 phone:px-4">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="text-[0.9375rem] leading-5 font-semibold wrap-anywhere">
          {user.full_name || user.username}
        </bdi>
        <RoleBadge role={user.role} />
      </p>
      <p className="text-ink-2 wrap-anywhere">
        {user.email} · {user.username}
      </p>
      <p className="text-caption text-ink-3">Last login: {lastLogin(user)}</p>
    </div>
  )
}

function ProfileFacts({ user }: { user: CurrentUser }) {
  const facts = [
    ['Full name', user.full_name || '–'],
    ['Email', user.email],
    ['Username', user.username],
    ['Role', user.role],
  ]
  return (
    <dl className="grid grid-cols-[112px_1fr] gap-y-2">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 font-medium wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

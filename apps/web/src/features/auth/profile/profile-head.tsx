import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { Avatar } from '@/components/ui/display/avatar.tsx'
import { RoleBadge } from '@/components/ui/display/badge.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

export const lastLogin = ({ last_login: moment }: CurrentUser): string =>
  moment ? formatDateTime(moment) : t('Never')

/** Shows the account, above the tabs. */
export function ProfileHead({ user }: { user: CurrentUser }) {
  const name = user.full_name || user.username
  return (
    <div className="flex items-center gap-3.5 px-6 pb-4 phone:px-4">
      <Avatar name={name} />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="line-clamp-2 text-[0.9375rem] leading-5 font-semibold wrap-anywhere" title={name}>
            <bdi>{name}</bdi>
          </span>
          <RoleBadge role={user.role} />
        </p>
        <p className="text-ink-2 wrap-anywhere">
          {user.email ? (
            <>
              <bdi>{user.email}</bdi> ·{' '}
            </>
          ) : null}
          <bdi>{user.username}</bdi>
        </p>
        <p className="text-caption text-ink-3">
          {t('Last login: {lastLogin}', { lastLogin: lastLogin(user) })}
        </p>
      </div>
    </div>
  )
}

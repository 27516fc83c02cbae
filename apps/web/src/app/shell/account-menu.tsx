import { CircleUserRound, LogOut, Moon, Sun, UserRound } from 'lucide-react'
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from '../../components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '../../components/ui/actions/icon-button.tsx'
import { useCurrentUser } from '../../lib/session/session.ts'
import { signOutAfterAsking } from '../../lib/session/sign-out.ts'
import { toggleTheme, useTheme } from '../../lib/browser/theme.ts'

const ICON = { size: 18, strokeWidth: 1.6, 'aria-hidden': true } as const

/** On phones it also contains the header's buttons. */
export function AccountMenu({ onOpenProfile }: { onOpenProfile: () => void }) {
  const user = useCurrentUser()
  const isDark = useTheme() === 'dark'
  return (
    <DropdownMenu
      trigger={
        <IconButton label="Account">
          <CircleUserRound size={20} strokeWidth={1.6} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>
        <bdi className="block max-w-64 truncate text-body font-semibold text-ink">
          {user.full_name || user.username}
        </bdi>
        {user.email}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem icon={<UserRound {...ICON} />} onSelect={onOpenProfile}>
        Profile
      </MenuItem>
      <MenuItem icon={isDark ? <Sun {...ICON} /> : <Moon {...ICON} />} onSelect={toggleTheme}>
        {isDark ? 'Light theme' : 'Dark theme'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut {...ICON} />} onSelect={() => void signOutAfterAsking()}>
        Sign out
      </MenuItem>
    </DropdownMenu>
  )
}

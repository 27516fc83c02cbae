import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import {
  CircleQuestionMark,
  CircleUserRound,
  Download,
  LogOut,
  Moon,
  ScanQrCode,
  Search,
  Sun,
  UserRound,
} from 'lucide-react'
import { Link } from 'react-router'
import { RoleBadge } from '../../components/ui/display/badge.tsx'
import { Button } from '../../components/ui/actions/button.tsx'
import { IconButton } from '../../components/ui/actions/icon-button.tsx'
import { Kbd } from '../../components/ui/display/kbd.tsx'
import { LogoMark } from '../../components/ui/display/logo.tsx'
import { Tooltip } from '../../components/ui/overlays/tooltip.tsx'
import { useCurrentUser } from '../../lib/session/session.ts'
import { signOutAfterAsking } from '../../lib/session/sign-out.ts'
import { useInstall } from '../../lib/browser/install-app.ts'
import { toggleTheme, useTheme } from '../../lib/browser/theme.ts'
import { AlertsButton } from '../../features/alerts/alerts-button.tsx'
import type { ShellDialog } from './shell-dialogs.tsx'
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuSeparator,
} from '../../components/ui/actions/dropdown-menu.tsx'
import { t } from '@/lib/i18n/messages.ts'

const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Shows title, search, the signed-in account and global actions. On phones some of them move into the account menu. */
export function Header({ onOpen }: { onOpen: (dialog: ShellDialog) => void }) {
  const user = useCurrentUser()
  const name = user.full_name || user.username
  return (
    <div className="mx-auto flex h-14 max-w-[1680px] items-center gap-3 px-4 sm:h-[52px] sm:px-6">
      <Link
        to="/"
        className="flex shrink-0 items-center gap-2.5 phone:min-w-0 phone:shrink text-[0.9375rem] font-[650] tracking-[-0.012em]"
      >
        <LogoMark />
        <span className="sm:max-md:sr-only phone:truncate">{PRODUCT_NAME}</span>
      </Link>
      <RoleBadge role={user.role} className="sm:hidden" />
      <button
        type="button"
        onClick={() => onOpen('palette')}
        className="ms-5 hidden h-8 w-[min(420px,34vw)] items-center gap-2 rounded-control bg-sunken pe-1.5 ps-2.5 text-ink-3 hover:text-ink-2 sm:flex sm:max-lg:ms-1 sm:max-md:w-auto sm:max-md:shrink-0 sm:max-md:px-2.5 touch:h-11"
      >
        <Search size={16} strokeWidth={1.75} className="shrink-0" aria-hidden />
        <span className="truncate sm:max-md:sr-only">{t('Search or run a command')}</span>
        <span className="ms-auto max-lg:hidden">
          <Kbd>{COMMAND_KEY}</Kbd>
        </span>
      </button>
      <div className="ms-auto hidden min-w-0 items-center gap-2 sm:flex">
        <span className="flex min-w-0 items-center gap-2" title={name}>
          <bdi className="truncate font-medium">{name}</bdi>
          <RoleBadge role={user.role} />
        </span>
        <AlertsButton onOpen={() => onOpen('alerts')} />
        <Tooltip text={t('Profile')}>
          <IconButton label={t('Profile')} title="" onClick={() => onOpen('profile')}>
            <CircleUserRound size={18} strokeWidth={1.6} aria-hidden />
          </IconButton>
        </Tooltip>
        <ThemeToggle />
        <Tooltip text={t('Help')}>
          <IconButton label={t('Help')} title="" className="max-lg:hidden" onClick={() => onOpen('help')}>
            <CircleQuestionMark size={17} strokeWidth={1.7} aria-hidden />
          </IconButton>
        </Tooltip>
        <Button
          variant="primary"
          icon={<ScanQrCode size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => onOpen('scan')}
        >
          {t('Scan')}
        </Button>
        <Tooltip text={t('Sign out')}>
          <IconButton label={t('Sign out')} title="" onClick={() => void signOutAfterAsking()}>
            <LogOut size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </Tooltip>
      </div>
      <div className="ms-auto flex shrink-0 sm:hidden">
        <IconButton label={t('Search')} onClick={() => onOpen('palette')}>
          <Search size={20} strokeWidth={1.6} aria-hidden />
        </IconButton>
        <AlertsButton onOpen={() => onOpen('alerts')} />
        <AccountMenu onOpenProfile={() => onOpen('profile')} onOpenHelp={() => onOpen('help')} />
      </div>
    </div>
  )
}

function ThemeToggle() {
  const isDark = useTheme() === 'dark'
  const label = isDark ? t('Switch to light theme') : t('Switch to dark theme')
  return (
    <Tooltip text={label}>
      <IconButton label={label} title="" onClick={toggleTheme}>
        {isDark ? (
          <Sun size={17} strokeWidth={1.7} aria-hidden />
        ) : (
          <Moon size={17} strokeWidth={1.7} aria-hidden />
        )}
      </IconButton>
    </Tooltip>
  )
}

const ICON = { size: 18, strokeWidth: 1.6, 'aria-hidden': true } as const

/** The menu of the signed-in account. On phones it also contains the header's buttons. */
function AccountMenu({ onOpenProfile, onOpenHelp }: { onOpenProfile: () => void; onOpenHelp: () => void }) {
  const user = useCurrentUser()
  const isDark = useTheme() === 'dark'
  const install = useInstall()
  return (
    <DropdownMenu
      trigger={
        <IconButton label={t('Account')}>
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
        {t('Profile')}
      </MenuItem>
      <MenuItem icon={isDark ? <Sun {...ICON} /> : <Moon {...ICON} />} onSelect={toggleTheme}>
        {isDark ? t('Light theme') : t('Dark theme')}
      </MenuItem>
      <MenuItem icon={<CircleQuestionMark {...ICON} />} onSelect={onOpenHelp}>
        {t('Help')}
      </MenuItem>
      {install ? (
        <MenuItem icon={<Download {...ICON} />} onSelect={install}>
          {t('Install the app')}
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem icon={<LogOut {...ICON} />} onSelect={() => void signOutAfterAsking()}>
        {t('Sign out')}
      </MenuItem>
    </DropdownMenu>
  )
}

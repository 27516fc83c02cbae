import { Ellipsis, type LucideIcon, RefreshCw } from 'lucide-react'
import { Link } from 'react-router'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { RefreshButton } from './refresh-button.tsx'
import { buttonClass } from './ui/actions/button.tsx'
import { DropdownMenu, MenuItem } from './ui/actions/dropdown-menu.tsx'
import { IconButton } from './ui/actions/icon-button.tsx'
import { ICON } from './ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PageLinksProps {
  /** Label of the menu on a phone: `More about products`. */
  menuLabel: string
  links: readonly { to: string; label: string; Icon: LucideIcon }[]
  /** The queries that Refresh refetches. */
  queries: readonly { refetch: () => Promise<unknown> }[]
}

/**
 * The links from a list to its related pages, and the Refresh button. On a phone they are in a menu, so that the list
 * begins near the top of the screen.
 */
export function PageLinks({ menuLabel, links, queries }: PageLinksProps) {
  const isPhone = useIsPhone()
  if (!isPhone)
    return (
      <>
        {links.map(({ to, label, Icon }) => (
          <Link key={label} to={to} className={buttonClass({ variant: 'ghost' })}>
            <Icon {...ICON} />
            {label}
          </Link>
        ))}
        <RefreshButton queries={queries} />
      </>
    )
  return (
    <DropdownMenu
      trigger={
        <IconButton label={menuLabel}>
          <Ellipsis {...ICON} />
        </IconButton>
      }
    >
      {links.map(({ to, label, Icon }) => (
        <MenuItem key={label} asChild>
          <Link to={to}>
            <Icon {...ICON} />
            {label}
          </Link>
        </MenuItem>
      ))}
      <MenuItem
        icon={<RefreshCw {...ICON} />}
        onSelect={() => void Promise.allSettled(queries.map((query) => query.refetch()))}
      >
        {t('Refresh')}
      </MenuItem>
    </DropdownMenu>
  )
}

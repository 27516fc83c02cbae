import { hasRole } from '@pegasus/contracts/roles'
import { ExternalLink } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { useConfig } from '@/lib/http/config.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const NO_SITE = t('No main site is configured.')
const SET_SITE = t(
  "Set MAIN_SITE_URL in the server's environment, and its order list can be opened from here.",
)
const ASK_ADMIN = t('An administrator can set it up.')

/** Returns a function that opens the order list of the main site; null until the site's address is known. */
function useOpenMainSite(): (() => void) | null {
  const config = useConfig()
  const { role } = useCurrentUser()
  if (!config) return null
  const address = config.main_site_orders_url
  return () => {
    if (address) window.open(address, '_blank', 'noopener,noreferrer')
    else toast({ title: `${NO_SITE} ${hasRole(role, 'admin') ? SET_SITE : ASK_ADMIN}` })
  }
}

const ICON = <ExternalLink size={16} strokeWidth={1.75} aria-hidden />

/**
 * A button that opens the order list of the main site in a new window. Renders nothing until its address is
 * known.
 */
export function MainSiteOrders({ className }: { className?: string }) {
  const open = useOpenMainSite()
  return open ? (
    <Button icon={ICON} onClick={open} {...(className && { className })}>
      {t('Open main site orders')}
    </Button>
  ) : null
}

/** A menu item that opens the main site's list of orders, for phones. */
export function MainSiteOrdersItem() {
  const open = useOpenMainSite()
  return open ? (
    <MenuItem icon={ICON} onSelect={open}>
      {t('Open main site orders')}
    </MenuItem>
  ) : null
}

/** Shows admins which settings of the main site are missing. Renders nothing while that is unknown. */
export function MainSiteHint() {
  const config = useConfig()
  const { role } = useCurrentUser()
  if (!config || config.main_site_url || !hasRole(role, 'admin')) return null
  return (
    <p className="mb-4 text-label text-ink-3">
      {rich(
        "{NO_SITE} Set <code>MAIN_SITE_URL</code> in the server's environment, and its order list can be opened from here.",
        { NO_SITE, code: (text) => <code className="font-mono text-ink-2">{text}</code> },
      )}
    </p>
  )
}

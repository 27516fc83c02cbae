import { hasRole } from '@pegasus/contracts/roles'
import { ExternalLink } from 'lucide-react'
import { buttonClass } from '@/components/ui/button.tsx'
import { useConfig } from '@/lib/config.ts'
import { useCurrentUser } from '@/lib/session.ts'

/** The way to the main site's own list of orders; null where no main site is configured. */
export function MainSiteOrders() {
  const site = useConfig()?.main_site_url
  if (!site) return null
  return (
    <a
      href={`${site.replace(/\/+$/, '')}/admin/orders`}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass({ variant: 'primary' })}
    >
      <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
      Open main site orders
    </a>
  )
}

/** What to configure, while there is no main site, for those who may see to it; nothing until that is known. */
export function MainSiteHint() {
  const config = useConfig()
  const { role } = useCurrentUser()
  if (!config || config.main_site_url || !hasRole(role, 'admin')) return null
  return (
    <p className="mb-3 text-label text-ink-3 last:mt-1.5 last:mb-0">
      No main site is configured. Set <code className="font-mono text-ink-2">MAIN_SITE_URL</code> in the
      server's environment, and its order list opens from here.
    </p>
  )
}

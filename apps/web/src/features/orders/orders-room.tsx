import { ExternalLink, ReceiptText } from 'lucide-react'
import { RoomNotice } from '@/components/room-notice.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { useConfig } from '@/lib/config.ts'

export function OrdersRoom() {
  const site = useConfig()?.main_site_url
  return (
    <RoomNotice
      name="Orders"
      Icon={ReceiptText}
      title="Orders are kept by the main site"
      actions={
        site ? (
          <a
            href={`${site.replace(/\/+$/, '')}/admin/orders`}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'primary' })}
          >
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
            Open main site orders
          </a>
        ) : null
      }
    >
      {site ? (
        <p>
          Its admin panel lists every order with its customer, status and total. It opens in a new window.
        </p>
      ) : (
        <p>
          No main site is configured. Set <code className="font-mono text-label">MAIN_SITE_URL</code> in the
          server's environment, and its order list can be opened from here.
        </p>
      )}
    </RoomNotice>
  )
}

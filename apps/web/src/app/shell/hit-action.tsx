import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import type { SearchHit } from '@pegasus/contracts/search'
import { Printer, ScanQrCode } from 'lucide-react'
import { useCurrentUser } from '../../lib/session/session.ts'
import { orderStepAddress, printAddress } from '../tabs.ts'
import { PaletteItem } from './palette-item.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const

/** Shows the most likely action for a search hit: pick an order, print an item. Viewers see none. */
export function HitAction({
  hit: { kind, id, title, ready_to_pack: isReady },
  isFirst,
  onGo,
}: {
  hit: SearchHit
  isFirst: boolean
  onGo: (address: string) => () => void
}) {
  if (!isEmployeeOrHigher(useCurrentUser().role)) return null
  if (kind === 'order' && isReady)
    return (
      <PaletteItem value={`pick ${id}`} onSelect={onGo(orderStepAddress(id, 'pick'))}>
        <ScanQrCode {...ICON} />
        <span className="truncate">{t('Pick {title}', { title })}</span>
      </PaletteItem>
    )
  if (kind === 'item' && isFirst)
    return (
      <PaletteItem value={`print ${id}`} onSelect={onGo(printAddress({ itemId: id, quantity: 1 }))}>
        <Printer {...ICON} />
        <span className="truncate">{rich('Print {title}', { title: <bdi>{title}</bdi> })}</span>
      </PaletteItem>
    )
  return null
}

import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import { Spool } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { filamentName } from '../printer-labels.ts'
import { LoadDialog } from './load-dialog.tsx'
import { usePrinterMutations } from './use-printer-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

interface SlotsCardProps {
  printer: Printer
  spoolAddress: (id: string) => string
}

/** Lists the slots with their spools, each with a button to change the spool. */
export function SlotsCard({ printer, spoolAddress }: SlotsCardProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [slot, setSlot] = useState<number | null>(null)
  const { unload } = usePrinterMutations()
  return (
    <Card className="p-4">
      <h2 className="mb-1 font-semibold">{t('Filament')}</h2>
      <ul className="divide-y divide-line">
        {printer.slots.map((each) => (
          <li key={each.slot} className="flex min-h-12 flex-wrap items-center gap-3 py-2">
            <span className="w-6 text-label text-ink-3">{each.slot}</span>
            <span className="min-w-0 flex-1 phone:basis-3/5">
              {each.filament_id ? (
                <span className="flex min-w-0 items-center gap-2">
                  <ColorDot hex={each.color_hex} />
                  <Link to={spoolAddress(each.filament_id)} className="truncate hover:underline">
                    <bdi className="block truncate">{filamentName(each)}</bdi>
                  </Link>
                  <span className="text-caption whitespace-nowrap text-ink-3">
                    <span className="code">{each.filament_label}</span>
                    {each.remaining_grams === null ? null : (
                      <>
                        {' · '}
                        {t('{remaining_grams} left', { remaining_grams: formatGrams(each.remaining_grams) })}
                      </>
                    )}
                  </span>
                </span>
              ) : (
                <span className="text-ink-3">{t('Empty')}</span>
              )}
            </span>
            {canChange ? (
              <span className="ms-auto flex gap-1.5">
                {each.filament_id ? (
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={t('Unload slot {slot}', { slot: each.slot })}
                    onClick={() => unload.mutate({ printer, slot: each.slot })}
                  >
                    {t('Unload')}
                  </Button>
                ) : null}
                <Button
                  size="sm"
                  icon={<Spool size={14} strokeWidth={1.75} aria-hidden />}
                  aria-label={t('Load slot {slot}', { slot: each.slot })}
                  onClick={() => setSlot(each.slot)}
                >
                  {t('Load')}
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {slot === null ? null : <LoadDialog printer={printer} slot={slot} onClose={() => setSlot(null)} />}
    </Card>
  )
}

import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import type { DashboardCard, useArrangement } from './arrangement.ts'
import { t } from '@/lib/i18n/messages.ts'

const NAMES: Readonly<Record<DashboardCard, string>> = {
  today: t('Needs you today'),
  figures: t('Figures'),
  orders: t('Recent Orders'),
  queue: t('Print Queue Status'),
  totals: t('Totals'),
  charts: t('Charts'),
}

interface ArrangeDialogProps {
  arrangement: ReturnType<typeof useArrangement>
  onClose: () => void
}

/** Moves and hides the cards of the dashboard. Each change applies immediately. */
export const ArrangeDialog = ({ arrangement, onClose }: ArrangeDialogProps) => (
  <Dialog
    isOpen
    onClose={onClose}
    title={t('Arrange the dashboard')}
    description={t('Only you see this arrangement, in this browser.')}
    footer={
      <>
        <Button disabled={arrangement.isUsual} onClick={arrangement.reset}>
          {t('Reset')}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </>
    }
  >
    <ol aria-label={t('Cards')} className="divide-y divide-line border-y border-line">
      {arrangement.cards.map((card, index) => (
        <li key={card} className="flex min-h-11 items-center gap-1">
          <Checkbox
            label={NAMES[card]}
            className="min-w-0 flex-1"
            checked={arrangement.shown.includes(card)}
            onChange={() => arrangement.toggle(card)}
          />
          <IconButton
            label={t('Move {card} up', { card: NAMES[card] })}
            size="sm"
            // A `disabled` button would lose the focus when the card reaches the top or the bottom.
            aria-disabled={index === 0}
            className="aria-disabled:opacity-55"
            onClick={() => arrangement.move(card, -1)}
          >
            <ArrowUp {...ICON} />
          </IconButton>
          <IconButton
            label={t('Move {card} down', { card: NAMES[card] })}
            size="sm"
            aria-disabled={index === arrangement.cards.length - 1}
            className="aria-disabled:opacity-55"
            onClick={() => arrangement.move(card, 1)}
          >
            <ArrowDown {...ICON} />
          </IconButton>
        </li>
      ))}
    </ol>
  </Dialog>
)

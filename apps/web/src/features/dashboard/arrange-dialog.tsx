import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import type { DashboardCard, useArrangement } from './arrangement.ts'

const NAMES: Readonly<Record<DashboardCard, string>> = {
  today: 'Needs you today',
  figures: 'Figures',
  orders: 'Recent Orders',
  queue: 'Print Queue Status',
  totals: 'Totals',
  charts: 'Charts',
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
    title="Arrange the dashboard"
    description="Only you see this arrangement, in this browser."
    footer={
      <>
        <Button disabled={arrangement.isUsual} onClick={arrangement.reset}>
          Reset
        </Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </>
    }
  >
    <ol aria-label="Cards" className="divide-y divide-line border-y border-line">
      {arrangement.cards.map((card, index) => (
        <li key={card} className="flex min-h-11 items-center gap-1">
          <Checkbox
            label={NAMES[card]}
            className="min-w-0 flex-1"
            checked={arrangement.shown.includes(card)}
            onChange={() => arrangement.toggle(card)}
          />
          <IconButton
            label={`Move ${NAMES[card]} up`}
            size="sm"
            // A `disabled` button would lose the focus when the card reaches the top or the bottom.
            aria-disabled={index === 0}
            className="aria-disabled:opacity-55"
            onClick={() => arrangement.move(card, -1)}
          >
            <ArrowUp {...ICON} />
          </IconButton>
          <IconButton
            label={`Move ${NAMES[card]} down`}
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

import type { BulkResult } from '@pegasus/contracts/stl-library/model-changes'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '@/lib/format/format.ts'
import { FailedRows } from './failed-rows.tsx'
import { Button } from '../ui/actions/button.tsx'
import { InDock } from '../ui/overlays/dock.tsx'
import { Kbd } from '../ui/display/kbd.tsx'
import type { Selection } from './use-selection.ts'
import { t } from '@/lib/i18n/messages.ts'
import type { Noun } from '@/lib/i18n/nouns.ts'

interface SelectionBarProps<Thing extends { id: string }> {
  selection: Selection<Thing>
  /** Noun for the rows: `order`. */
  one: Noun
  nameOf: (thing: Thing) => string
  /** Text about the selected rows together, such as a total. */
  sum: string
  deletion: { failed: BulkResult['failed']; deleteAll: () => void; isDeleting: boolean }
  /** Further actions, each as a SelectionAction. */
  children: ReactNode
}

/** Shows actions for the selected rows of a list. */
export function SelectionBar<Thing extends { id: string }>(props: SelectionBarProps<Thing>) {
  const { selection, one, nameOf, sum, deletion, children } = props
  const { things, clear } = selection
  const nameById = (id: string): string => {
    const thing = things.get(id)
    return thing ? nameOf(thing) : id
  }
  return (
    <InDock>
      <section
        aria-label={t('Selection')}
        // On a phone the bar keeps clear of the button that protrudes from the bottom bar.
        className="max-w-full animate-rise rounded-card border border-line-2 bg-surface shadow-float phone:mx-3 phone:max-w-none phone:only:mb-6"
      >
        <FailedRows one={one} failed={deletion.failed} nameOf={nameById} className="px-4 pt-3" />
        <div className="flex min-h-11 flex-wrap items-center gap-1 py-1.5 pe-2 ps-4 phone:ps-3">
          <p className="me-2 whitespace-nowrap phone:flex-1" role="status">
            <strong className="font-semibold">
              {t('{things} selected', { things: formatCount(things.size) })}
            </strong>{' '}
            <span className="ms-1 text-ink-3">{sum}</span>
          </p>
          <span className="me-1 h-6 w-px bg-line phone:hidden" aria-hidden />
          {/* On a phone the actions are below the count of the selected rows. */}
          <span className="order-1 hidden h-0 basis-full phone:block" aria-hidden />
          {children}
          <SelectionAction
            icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden />}
            isDanger
            isPending={deletion.isDeleting}
            onClick={deletion.deleteAll}
          >
            {t('Delete')}
          </SelectionAction>
          <span className="mx-1 h-6 w-px bg-line phone:hidden" aria-hidden />
          <Button variant="ghost" onClick={clear}>
            {t('Clear')}
            <span className="touch:hidden" aria-hidden>
              <Kbd>{t('Esc')}</Kbd>
            </span>
          </Button>
        </div>
      </section>
    </InDock>
  )
}

interface SelectionActionProps {
  icon: ReactNode
  isDanger?: boolean
  isPending?: boolean
  onClick: () => void
  children: ReactNode
}

export const SelectionAction = ({ isDanger = false, ...rest }: SelectionActionProps) => (
  <Button
    {...rest}
    variant="ghost"
    className={isDanger ? 'text-red-ink! enabled:hover:bg-red-soft! phone:order-2' : 'phone:order-2'}
  />
)

import { Check } from 'lucide-react'
import { cx } from '@/lib/class-names.ts'
import { STEPS, type Step, toStep } from '../product-form/product-form.ts'
import { t } from '@/lib/i18n/messages.ts'

interface StepBarProps {
  current: Step
  /** The number of errors in each step. */
  faults: Readonly<Partial<Record<Step, number>>>
  /** True if step 1 is complete enough for the later steps. */
  isOpen: boolean
  /** True during the publication. Changes made then would be neither in the product nor in the draft. */
  isFrozen: boolean
  onStep: (step: Step) => void
}

/** The four steps. Earlier steps, and later steps that are available, are buttons. */
export const StepBar = ({ current, faults, isOpen, isFrozen, onStep }: StepBarProps) => (
  <ol aria-label={t('Steps')} inert={isFrozen} className="flex divide-x divide-line border-b border-line">
    {STEPS.map((name, index) => {
      const step = toStep(index + 1)
      const isCurrent = step === current
      const isDone = step < current || (isOpen && step < current)
      const wrong = faults[step] ?? 0
      return (
        <li key={name} className="min-w-0 flex-1">
          <button
            type="button"
            aria-current={isCurrent ? 'step' : undefined}
            onClick={() => onStep(step)}
            className={cx(
              'relative flex h-13 w-full items-center gap-2.5 px-5 font-medium -outline-offset-2 hover:bg-hover phone:justify-center phone:gap-1.5 phone:px-1',
              isCurrent
                ? 'font-semibold text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:bg-accent'
                : 'text-ink-2',
            )}
          >
            <span
              className={cx(
                'grid size-[22px] shrink-0 place-items-center rounded-full text-caption font-semibold',
                isCurrent && 'bg-accent text-on-accent',
                !isCurrent && isDone && wrong === 0 && 'bg-accent-soft text-accent-ink',
                !isCurrent && (!isDone || wrong > 0) && 'shadow-[inset_0_0_0_1.5px_var(--line-2)]',
              )}
            >
              {isDone && wrong === 0 ? <Check size={14} strokeWidth={2.25} aria-hidden /> : step}
            </span>
            <span className={cx('truncate', !isCurrent && 'phone:sr-only')}>{name}</span>
            {wrong > 0 ? (
              <span className="ms-auto text-caption font-[550] whitespace-nowrap text-red-ink phone:ms-0">
                {t('{wrong} to fix', { wrong })}
              </span>
            ) : null}
          </button>
        </li>
      )
    })}
  </ol>
)

import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

const LOOKS = {
  error: { className: 'bg-red-soft text-red-ink', Icon: CircleAlert },
  warning: { className: 'bg-yellow-soft text-yellow-ink', Icon: TriangleAlert },
  success: { className: 'bg-green-soft text-green-ink', Icon: CircleCheck },
  note: { className: 'bg-sunken text-ink-2', Icon: Info },
} as const

interface AlertBoxProps {
  /**
   * Screen readers announce an `error` or `warning` immediately, and a `success` when they are idle. A `note`
   * is not announced.
   */
  tone?: keyof typeof LOOKS
  title?: ReactNode
  action?: ReactNode
  className?: string
  children?: ReactNode
}

const ROLES = { error: 'alert', warning: 'alert', success: 'status', note: undefined } as const

export function AlertBox({ tone = 'error', title, action, className, children }: AlertBoxProps) {
  const { className: look, Icon } = LOOKS[tone]
  return (
    <div
      role={ROLES[tone]}
      className={cx(
        'flex items-start gap-2.5 has-[>button]:items-center rounded-control px-3 py-2.5 text-label',
        look,
        className,
      )}
    >
      <Icon size={16} strokeWidth={1.75} className="mt-px shrink-0 [div:has(>button)>&]:mt-0" aria-hidden />
      <div className="min-w-0 flex-1 self-center wrap-anywhere">
        {title ? <p className={cx('font-semibold', tone === 'note' && 'text-ink')}>{title}</p> : null}
        {children}
      </div>
      {action}
    </div>
  )
}

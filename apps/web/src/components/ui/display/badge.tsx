import { STATUS_DISPLAY, type StatusTone } from '@pegasus/contracts/statuses'
import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'
import { t } from '@/lib/i18n/messages.ts'
import { roleLabel } from '@/lib/i18n/roles.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

/** Each color has its own shape, so that a status can be recognized without color. */
const TONES: Record<StatusTone, { box: string; shape: string }> = {
  green: { box: 'bg-green-soft text-green-ink', shape: 'rounded-full bg-green' },
  yellow: {
    box: 'bg-yellow-soft text-yellow-ink',
    shape:
      'rounded-full bg-[linear-gradient(90deg,var(--yellow)_50%,transparent_50%)] shadow-[inset_0_0_0_1.5px_var(--yellow)]',
  },
  red: { box: 'bg-red-soft text-red-ink', shape: 'rounded-full shadow-[inset_0_0_0_2px_var(--red)]' },
  blue: { box: 'bg-blue-soft text-blue-ink', shape: 'rounded-[2px] bg-blue' },
  purple: { box: 'bg-purple-soft text-purple-ink', shape: 'rotate-45 scale-85 rounded-[1px] bg-purple' },
  grey: { box: 'bg-grey-soft text-ink-2', shape: 'rounded-full bg-ink-3' },
}

const isKnown = (status: string): status is keyof typeof STATUS_DISPLAY =>
  Object.hasOwn(STATUS_DISPLAY, status)

interface StatusBadgeProps {
  /** The status from the API, which determines color and text. */
  status: string
  /** Color for a status that is not in the table. */
  tone?: StatusTone
  children?: ReactNode
}

export function StatusBadge({ status, tone, children }: StatusBadgeProps) {
  const look = TONES[tone ?? (isKnown(status) ? STATUS_DISPLAY[status].tone : 'grey')]
  return (
    <span
      className={cx(
        'inline-flex h-[22px] items-center gap-1.5 rounded-badge pe-2 ps-[7px] text-caption font-[550] whitespace-nowrap',
        look.box,
      )}
    >
      <i className={cx('size-2 shrink-0', look.shape)} />
      {children ?? (isKnown(status) ? STATUS_LABELS[status] : status)}
    </span>
  )
}

const ROLE_LOOKS: Readonly<Record<string, string>> = {
  admin: 'border-red/55 text-red-ink',
  employee: 'border-blue/55 text-blue-ink',
  staff: 'border-blue/55 text-blue-ink',
}

export function RoleBadge({ role, className }: { role: string; className?: string }) {
  return (
    <span
      className={cx(
        'inline-block shrink-0 rounded-full border px-[7px] text-caption leading-[18px] font-[550]',
        ROLE_LOOKS[role] ?? 'border-line-2 text-ink-2',
        className,
      )}
    >
      {roleLabel(role)}
    </span>
  )
}

export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 max-w-full items-center rounded-badge bg-sunken px-1.5 text-caption text-ink-2">
      <bdi className="truncate">{children}</bdi>
    </span>
  )
}

interface ProductBadgeProps {
  /** True for a tinted badge on a surface. On a picture, the badge is opaque. */
  isOnSurface?: boolean
  className?: string
}

/** Marks a model that belongs to a product. */
export function ProductBadge({ isOnSurface = false, className }: ProductBadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-[22px] items-center rounded-badge px-[7px] text-caption font-[550] text-accent-ink',
        isOnSurface ? 'bg-accent-soft' : 'bg-surface',
        className,
      )}
    >
      {t('Product')}
    </span>
  )
}

/** Priority of a print job. It is not a status, so it has no color. The highest priority is darker. */
export function PriorityBadge({ priority }: { priority: number }) {
  return (
    <span
      title={t('Priority {priority}', { priority })}
      className={cx(
        'inline-grid h-5 min-w-[26px] place-items-center rounded-badge px-1 text-caption font-[650]',
        priority === 1 ? 'bg-ink text-surface' : 'text-ink-2 shadow-[inset_0_0_0_1px_var(--line-2)]',
      )}
    >
      P{priority}
    </span>
  )
}

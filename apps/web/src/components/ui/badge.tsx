import type { ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

export type StatusTone = 'green' | 'yellow' | 'red' | 'blue' | 'purple' | 'grey'

/** Each colour has a shape of its own, so that a status reads without colour. */
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

/** The statuses of stock, orders and print jobs by the names they have on the wire, and how people read them. */
const STATUSES: Readonly<Record<string, { tone: StatusTone; label: string }>> = {
  'In Stock': { tone: 'green', label: 'In Stock' },
  'Low Stock': { tone: 'yellow', label: 'Low Stock' },
  'Out of Stock': { tone: 'red', label: 'Out of Stock' },
  'On Hold': { tone: 'blue', label: 'On Hold' },
  Reserved: { tone: 'purple', label: 'Reserved' },
  completed: { tone: 'green', label: 'Completed' },
  pending: { tone: 'yellow', label: 'Pending' },
  in_progress: { tone: 'blue', label: 'In progress' },
  on_hold: { tone: 'blue', label: 'On hold' },
  cancelled: { tone: 'red', label: 'Cancelled' },
  failed: { tone: 'red', label: 'Failed' },
}

interface StatusBadgeProps {
  /** A status on the wire; its colour and text follow from it. */
  status: string
  /** For statuses that are not in the table: what decides the colour. */
  tone?: StatusTone
  children?: ReactNode
}

export function StatusBadge({ status, tone, children }: StatusBadgeProps) {
  const known = STATUSES[status]
  const look = TONES[tone ?? known?.tone ?? 'grey']
  return (
    <span
      className={cx(
        'inline-flex h-[22px] items-center gap-1.5 rounded-badge pr-2 pl-[7px] text-caption font-[550] whitespace-nowrap',
        look.box,
      )}
    >
      <i className={cx('size-2 shrink-0', look.shape)} />
      {children ?? known?.label ?? status}
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
      {role}
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
  /** On a surface it brings a tint of its own; on a picture the surface is what sets it off. */
  isOnSurface?: boolean
  className?: string
}

/** Marks a model that a product is made of. */
export function ProductBadge({ isOnSurface = false, className }: ProductBadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-[22px] items-center rounded-badge px-[7px] text-caption font-[550] text-accent-ink',
        isOnSurface ? 'bg-accent-soft' : 'bg-surface',
        className,
      )}
    >
      Product
    </span>
  )
}

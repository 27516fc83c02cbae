import type { ComponentProps, ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'
import { DANGER_MARK } from '@/lib/browser/initial-focus.ts'
import { Spinner } from '../feedback/spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-[7px] rounded-control border font-medium whitespace-nowrap no-underline transition-colors disabled:opacity-55 phone:min-h-11 touch:min-h-11'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-2 [a&]:hover:bg-accent-2',
  secondary: 'border-line-2 bg-surface text-ink shadow-button enabled:hover:bg-hover [a&]:hover:bg-hover',
  ghost: 'border-transparent text-ink-2 enabled:hover:bg-hover enabled:hover:text-ink [a&]:hover:bg-hover',
  danger: 'border-transparent bg-red-soft text-red-ink enabled:hover:border-red [a&]:hover:border-red',
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-7 px-[9px] text-label',
  md: 'h-8 px-3 text-body',
  lg: 'h-10 px-4 text-body',
}

interface Look {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
}

/** Returns the classes of a button, for links that look like a button. */
export const buttonClass = ({ variant = 'secondary', size = 'md' }: Look = {}): string =>
  cx(BASE, VARIANTS[variant], SIZES[size])

export interface ButtonProps extends ComponentProps<'button'>, Look {
  icon?: ReactNode
  /** True to show a spinner instead of the icon and to disable the button. */
  isPending?: boolean
}

export function Button({
  variant,
  size,
  icon,
  isPending = false,
  disabled,
  type = 'button',
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      {...(variant === 'danger' && { [DANGER_MARK]: '' })}
      className={cx(buttonClass({ variant, size }), className)}
    >
      {isPending ? <Spinner /> : icon}
      {children}
    </button>
  )
}

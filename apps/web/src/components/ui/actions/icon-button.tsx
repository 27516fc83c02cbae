import type { ComponentProps } from 'react'
import { cx } from '@/lib/class-names.ts'
import { type ButtonVariant, buttonClass } from './button.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name, which is also shown as a tooltip. */
  label: string
  variant?: ButtonVariant
  size?: 'sm' | 'md'
}

/** A square button with only an icon: close, copy, theme, profile, sign-out, zoom. */
export function IconButton({
  label,
  variant = 'ghost',
  size = 'md',
  type = 'button',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      className={cx(
        buttonClass({ variant, size }),
        size === 'sm' ? 'w-7 px-0!' : 'w-8 px-0!',
        'phone:min-w-11 touch:min-w-11',
        className,
      )}
    />
  )
}

import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { type ControlSize, controlClass, controlHeight } from './control-class.ts'
import { useFieldControl } from './field-context.ts'
import { t } from '@/lib/i18n/messages.ts'

const TOGGLE = { show: t('Show password'), hide: t('Hide password') } as const

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  controlSize?: ControlSize
  /** Labels of the toggle: `Show password` and `Hide password` by default. */
  toggle?: { show: string; hide: string }
}

export function PasswordInput({
  controlSize = 'md',
  toggle = TOGGLE,
  className,
  ...rest
}: PasswordInputProps) {
  const field = useFieldControl()
  const [isShown, setIsShown] = useState(false)
  const label = isShown ? toggle.hide : toggle.show
  return (
    <span className={cx('relative block min-w-0', className)}>
      <input
        spellCheck={false}
        autoCapitalize="none"
        {...field}
        {...rest}
        type={isShown ? 'text' : 'password'}
        className={cx(controlClass, controlHeight(controlSize), 'ps-2.5 pe-10 phone:pe-12')}
      />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => setIsShown((shown) => !shown)}
        className="absolute inset-y-0.5 end-0.5 flex w-9 items-center justify-center rounded-control text-ink-2 hover:text-ink focus-visible:-outline-offset-2 phone:w-11"
      >
        {isShown ? (
          <EyeOff size={16} strokeWidth={1.75} aria-hidden />
        ) : (
          <Eye size={16} strokeWidth={1.75} aria-hidden />
        )}
      </button>
    </span>
  )
}

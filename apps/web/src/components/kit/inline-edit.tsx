import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { FieldSuggestions } from '../fields/field-suggestions.tsx'
import { Input, type InputProps } from '../ui/forms/input.tsx'
import { SMALL_ICON } from '../ui/icon-props.ts'
import { toast } from '../ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

interface InlineEditProps {
  /** Name of the value: `Price of Wall hook`. */
  label: string
  /** Initial text of the field. */
  value: string
  /** Returns the message for a text that cannot be saved; null if it can. */
  check?: (text: string) => string | null
  /**
   * Saves the changed text. If the promise rejects, the field shows the error's message and stays open. The field
   * always calls the function that it got when it was opened. The function can therefore send the revision of that
   * moment, although the value may have changed since.
   */
  onSave: (text: string) => Promise<void>
  /** Properties of the field, such as its unit. */
  input?: Pick<InputProps, 'inputMode' | 'unit' | 'maxLength' | 'placeholder'>
  /** Values to choose from. People can still type other values. */
  suggestions?: readonly string[]
  className?: string
  /** The displayed value. */
  children: ReactNode
}

/**
 * A value in a row that becomes a field when it is clicked. Enter and leaving the field save; Escape keeps
 * the old value. The focus then returns to the value.
 */
export function InlineEdit(props: InlineEditProps) {
  const { label, value, check, onSave, input, suggestions = [], className, children } = props
  const [text, setText] = useState<string | null>(null)
  const [opened, setOpened] = useState({ value, onSave })
  const [isSaving, setIsSaving] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // Return the focus only if it was in the field. Do not return it if the person has clicked another control.
    if (text === null && wasOpen.current && document.activeElement === document.body) button.current?.focus()
    wasOpen.current = text !== null
  }, [text])

  const refuse = (message: string) => {
    setHasFailed(true)
    toast({ title: message })
  }
  const save = async () => {
    if (text === null || isSaving) return
    // Compare with the value at opening. Otherwise, leaving an untouched field would undo a colleague's
    // change.
    if (text.trim() === opened.value.trim()) return setText(null)
    const problem = check?.(text.trim())
    if (problem) return refuse(problem)
    setIsSaving(true)
    try {
      await opened.onSave(text.trim())
      setText(null)
    } catch (error) {
      refuse(errorMessage(error, t('That did not work. Please try again.')))
    } finally {
      setIsSaving(false)
    }
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save()
    else if (event.key === 'Escape') setText(null)
    else return
    event.preventDefault()
    // Escape would otherwise clear the selection of rows.
    event.stopPropagation()
  }
  if (text === null)
    return (
      <button
        ref={button}
        type="button"
        title={label}
        onClick={() => {
          setHasFailed(false)
          setOpened({ value, onSave })
          setText(value)
        }}
        className={cx(
          'group/inline relative z-1 -mx-1.5 inline-flex min-h-7 max-w-[calc(100%+12px)] items-center gap-1 rounded-control px-1.5 text-start hover:bg-sunken touch:min-h-11',
          className,
        )}
      >
        <span className="min-w-0">
          {/* The shown value must be part of the button's name. */}
          <span className="sr-only">{t('{label}, edit:', { label })} </span>
          {children}
        </span>
        <Pencil
          {...SMALL_ICON}
          size={12}
          className="shrink-0 text-ink-3 opacity-0 group-hover/inline:opacity-100 group-focus-visible/inline:opacity-100"
        />
      </button>
    )
  return (
    <span className="relative z-1 block">
      <FieldSuggestions options={suggestions}>
        {(list) => (
          <Input
            {...input}
            {...(suggestions.length > 0 && { list })}
            aria-label={label}
            aria-invalid={hasFailed || undefined}
            autoFocus
            autoComplete="off"
            readOnly={isSaving}
            value={text}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setHasFailed(false)
              setText(event.target.value)
            }}
            onKeyDown={handleKey}
            // After a failure, only Enter saves again, so that leaving the field does not repeat the error.
            onBlur={() => (hasFailed ? setText(null) : void save())}
          />
        )}
      </FieldSuggestions>
    </span>
  )
}

import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { useFieldControl } from './ui/forms/field-context.ts'
import { t } from '@/lib/i18n/messages.ts'

interface DropAreaProps {
  /** File types that the browser's picker offers. */
  accept: string
  /** Name for screen readers, if no `Field` around the area names it. */
  label?: string
  onFiles: (files: readonly File[]) => void
  /** True if only one file is accepted. If several are dropped, the first is used. */
  isSingle?: boolean
  /** Name of the chosen file, shown instead of the invitation. */
  chosen?: string | null
  isDisabled?: boolean
  /** Text after “or drop them here”. */
  children?: ReactNode
  className?: string
}

/**
 * Accepts files that are chosen or dropped. The browser's own input covers the whole area, so that its keyboard and
 * mouse handling work.
 */
export function DropArea(props: DropAreaProps) {
  const {
    accept,
    label,
    onFiles,
    isSingle = false,
    chosen = null,
    isDisabled = false,
    children,
    className,
  } = props
  const control = useFieldControl()
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    if (!files || files.length === 0 || isDisabled) return
    onFiles([...files].slice(0, isSingle ? 1 : undefined))
  }
  return (
    <div
      className={cx(
        'relative flex min-h-18 items-center gap-3 rounded-control border border-dashed px-4 py-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isOver ? 'border-accent bg-accent-soft' : 'border-control',
        className,
      )}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        setIsOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <Upload size={20} strokeWidth={1.6} className="shrink-0 text-ink-3" aria-hidden />
      <span className="min-w-0 flex-1 text-ink-2">
        {chosen === null ? (
          <>
            <span className="link">{isSingle ? t('Choose a file') : t('Choose files')}</span>
            <span className="touch:hidden"> {isSingle ? t('or drop it here') : t('or drop them here')}</span>
          </>
        ) : (
          <>
            <bdi className="font-medium text-ink wrap-anywhere">{chosen}</bdi>{' '}
            <span className="link whitespace-nowrap">{t('Choose another')}</span>
          </>
        )}
        {children ? <span className="block text-caption text-ink-3">{children}</span> : null}
      </span>
      <input
        {...control}
        aria-label={label}
        // With `required`, the browser would block the submission with its own message.
        required={false}
        aria-required={control.required || undefined}
        type="file"
        multiple={!isSingle}
        disabled={isDisabled}
        accept={accept}
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={(event) => {
          take(event.target.files)
          // Without the reset, the browser would not report the same file again after the person has fixed it
          // on disk.
          event.target.value = ''
        }}
      />
    </div>
  )
}

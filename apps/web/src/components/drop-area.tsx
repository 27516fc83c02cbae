import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { useFieldControl } from './ui/field-context.ts'

interface DropAreaProps {
  /** What the browser's picker offers. */
  accept: string
  onFiles: (files: readonly File[]) => void
  /** Behind “or drop them here”. */
  children?: ReactNode
  className?: string
}

/** Takes files, chosen or dropped. The browser's own input lies over all of it, so that keys and clicks are its own. */
export function DropArea({ accept, onFiles, children, className }: DropAreaProps) {
  const control = useFieldControl()
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null | undefined) => files && files.length > 0 && onFiles([...files])
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
        <span className="link">Choose files</span>
        <span className="touch:hidden"> or drop them here</span>
        {children ? <span className="block text-caption text-ink-3">{children}</span> : null}
      </span>
      <input
        {...control}
        // The browser would hold the form back by itself, in words of its own.
        required={false}
        aria-required={control.required || undefined}
        type="file"
        multiple
        accept={accept}
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={(event) => {
          take(event.target.files)
          // Otherwise choosing the same file again, after it was mended on disk, would not be noticed.
          event.target.value = ''
        }}
      />
    </div>
  )
}

import { FileBox, Upload } from 'lucide-react'
import { Field } from '@/components/ui/field.tsx'
import { useFieldControl } from '@/components/ui/field-context.ts'
import { cx } from '@/lib/class-names.ts'
import { formatKb } from '@/lib/format.ts'

interface FileDropFieldProps {
  file: File | null
  onChoose: (file: File) => void
  isDisabled: boolean
  error: string | null
}

/** The file of the form: the browser's own input lies over the whole field, so that clicking, keys and dropping are its own. */
export function FileDropField(props: FileDropFieldProps) {
  return (
    <Field label="File" isRequired error={props.error}>
      <DropArea {...props} />
    </Field>
  )
}

function DropArea({ file, onChoose, isDisabled }: FileDropFieldProps) {
  const control = useFieldControl()
  return (
    <div
      className={cx(
        'relative flex min-h-18 items-center gap-3 rounded-control border border-dashed px-4 py-3 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        control['aria-invalid'] ? 'border-red' : 'border-control',
        isDisabled ? 'opacity-55' : 'hover:bg-hover',
      )}
    >
      {file ? (
        <FileBox size={20} strokeWidth={1.6} className="shrink-0 text-accent-ink" aria-hidden />
      ) : (
        <Upload size={20} strokeWidth={1.6} className="shrink-0 text-ink-3" aria-hidden />
      )}
      {file ? (
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium" title={file.name}>
            <bdi>{file.name}</bdi>
          </span>
          <span className="block text-caption text-ink-3">{formatKb(file.size)}</span>
        </span>
      ) : (
        <span className="min-w-0 flex-1 text-ink-2">
          <span className="link">Choose an STL file</span>
          <span className="touch:hidden"> or drop it here</span>
        </span>
      )}
      {file ? <span className="link shrink-0 text-label">Replace</span> : null}
      <input
        {...control}
        type="file"
        // The dialog opens for this; without it the focus would land on Close.
        autoFocus
        accept=".stl"
        aria-required
        disabled={isDisabled}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) onChoose(chosen)
          // Otherwise choosing the same file again, after it was mended on disk, would not be noticed.
          event.target.value = ''
        }}
      />
    </div>
  )
}

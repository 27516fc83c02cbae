import { FileArchive, FileBox, Upload, X } from 'lucide-react'
import { Field } from '@/components/ui/forms/field.tsx'
import { useFieldControl } from '@/components/ui/forms/field-context.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { cx } from '@/lib/class-names.ts'
import { isTooLarge } from './upload-form.ts'
import { formatBytes } from '@/lib/format/bytes.ts'
import { t } from '@/lib/i18n/messages.ts'

/** File types that the browser's picker offers. The server detects the format from the content. */
export const ACCEPTED_FILES = '.stl,.3mf,.obj,.zip'

interface FilesFieldProps {
  files: readonly File[]
  limitBytes: number | null
  onAdd: (files: readonly File[]) => void
  onRemove: (file: File) => void
  isDisabled: boolean
}

/** A field for one or many files. */
export function FilesField({ files, limitBytes, onAdd, onRemove, isDisabled }: FilesFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('File')} isRequired>
        <DropArea files={files} onAdd={onAdd} isDisabled={isDisabled} />
      </Field>
      {files.length > 0 ? (
        <ul
          aria-label={t('To upload')}
          className="max-h-44 divide-y divide-line overflow-y-auto rounded-control border border-line"
        >
          {files.map((file) => (
            <ChosenFile
              key={`${file.name} ${file.size} ${file.lastModified}`}
              file={file}
              isTooLarge={isTooLarge(file, limitBytes)}
              onRemove={isDisabled ? null : () => onRemove(file)}
            />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/**
 * Accepts dropped files. The browser's own input covers the whole area, so that its mouse, keyboard and drop handling
 * work.
 */
function DropArea({ files, onAdd, isDisabled }: Pick<FilesFieldProps, 'files' | 'onAdd' | 'isDisabled'>) {
  const control = useFieldControl()
  const sizeBytes = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <div
      className={cx(
        'relative flex items-center gap-3 rounded-control border border-dashed border-control px-4 py-3 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        files.length === 0 ? 'min-h-18' : 'min-h-11',
        isDisabled ? 'opacity-55' : 'hover:bg-hover',
      )}
    >
      <Upload size={20} strokeWidth={1.6} className="shrink-0 text-ink-3" aria-hidden />
      {files.length > 0 ? (
        <>
          <span className="min-w-0 flex-1">
            {t('{files, plural, one {# file} other {# files}}', { files: files.length })}{' '}
            <span className="text-ink-3">· {formatBytes(sizeBytes)}</span>
          </span>
          <span className="link shrink-0 text-label">{t('Add more')}</span>
        </>
      ) : (
        <span className="min-w-0 flex-1 text-ink-2">
          <span className="link">{t('Choose files')}</span>
          <span className="touch:hidden"> {t('or drop them here')}</span>
          <span className="block text-caption text-ink-3">
            {t('STL, 3MF or OBJ, or a ZIP file from which you choose')}
          </span>
        </span>
      )}
      <input
        {...control}
        type="file"
        multiple
        // This is the dialog's main field. Otherwise the Close button would get the focus.
        autoFocus
        accept={ACCEPTED_FILES}
        aria-required
        disabled={isDisabled}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          if (chosen.length > 0) onAdd(chosen)
          // Without the reset, the browser would not report the same file again after the person has fixed it
          // on disk.
          event.target.value = ''
        }}
      />
    </div>
  )
}

interface ChosenFileProps {
  file: File
  isTooLarge: boolean
  onRemove: (() => void) | null
}

function ChosenFile({ file, isTooLarge: isRefused, onRemove }: ChosenFileProps) {
  const isArchive = /\.zip$/i.test(file.name)
  const Icon = isArchive ? FileArchive : FileBox
  return (
    <li className="flex min-h-9 items-center gap-2.5 pe-1 ps-3">
      <Icon
        size={16}
        strokeWidth={1.6}
        className={cx('shrink-0', isRefused ? 'text-red-ink' : 'text-ink-3')}
        aria-hidden
      />
      <span className="min-w-0 flex-1 truncate" title={file.name}>
        <bdi className="block truncate">{file.name}</bdi>
      </span>
      <span className={cx('shrink-0 text-caption', isRefused ? 'text-red-ink' : 'text-ink-3')}>
        {isRefused ? t('{size} · too large', { size: formatBytes(file.size) }) : formatBytes(file.size)}
      </span>
      {onRemove ? (
        <IconButton size="sm" label={t('Remove {name}', { name: file.name })} onClick={onRemove}>
          <X size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      ) : null}
    </li>
  )
}

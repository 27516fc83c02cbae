import { isPictureName } from '@pegasus/contracts/media/media-files'
import { ArrowRight, X } from 'lucide-react'
import { MediaPicture, useFilePreview } from '@/components/media-picture.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { formatKb } from '@/lib/format/format.ts'
import type { KnownMedia } from '@/lib/http/uploads/media-storage.ts'
import type { NamedFile } from './chosen-files.ts'
import { isVideo, storedAddress } from './stored-address.ts'
import { FORWARD_ARROW } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ChosenListProps {
  files: readonly NamedFile[]
  /** The stored files by name. */
  existing: ReadonlyMap<string, KnownMedia>
  /** True if there is a slug that the files can be named after. */
  isNamed: boolean
  onRemove: (id: string) => void
  /** Called with the id of the new poster. Null if no poster can be chosen. */
  onPoster: ((id: string) => void) | null
}

/** Lists the files to upload, each with its picture, its new name, and the stored file that it replaces. */
export function ChosenList({ files, ...rest }: ChosenListProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label={t('To upload')} className="divide-y divide-line rounded-control border border-line">
      {files.map((file) => (
        <ChosenRow key={file.id} chosen={file} {...rest} />
      ))}
    </ul>
  )
}

interface ChosenRowProps extends Omit<ChosenListProps, 'files'> {
  chosen: NamedFile
}

function ChosenRow({ chosen, existing, isNamed, onRemove, onPoster }: ChosenRowProps) {
  const { id, file, name, problem, isPoster } = chosen
  const storedFile = name === null ? undefined : existing.get(name)
  return (
    <li className="flex items-start gap-3 p-2.5">
      <div className="flex shrink-0 items-center gap-1.5">
        {storedFile ? (
          <>
            <Stored media={storedFile} />
            <ArrowRight size={14} className="text-ink-3" aria-hidden />
          </>
        ) : null}
        <Preview file={file} caption={storedFile ? t('New') : null} />
      </div>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={file.name}>
          <bdi className="block truncate">{file.name}</bdi>
        </p>
        <p className="truncate text-caption text-ink-3">
          {formatKb(file.size)}
          {isNamed && name ? (
            <>
              {` ${FORWARD_ARROW} `}
              <bdi className="text-ink-2">{name}</bdi>
            </>
          ) : null}
        </p>
        {problem ? <p className="text-label text-red-ink">{problem}</p> : null}
        {storedFile ? <p className="text-label text-yellow-ink">{t('Replaces the existing file')}</p> : null}
        {onPoster && isPictureName(file.name) && !isPoster && !problem ? (
          <Button
            size="sm"
            className="mt-1"
            onClick={() => onPoster(id)}
            aria-label={t('Make {name} the poster', { name: file.name })}
          >
            {t('Make it the poster')}
          </Button>
        ) : null}
      </div>
      <IconButton size="sm" label={t('Remove {name}', { name: file.name })} onClick={() => onRemove(id)}>
        <X size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}

/** The stored file that will be replaced. */
const Stored = ({ media }: { media: KnownMedia }) => (
  <figure>
    <MediaPicture
      src={storedAddress(media)}
      isVideo={isVideo(media.name)}
      alt={t('The stored {name}', { name: media.name })}
      className="size-18"
    />
    <figcaption className="mt-0.5 text-center text-caption text-ink-3">{t('Now')}</figcaption>
  </figure>
)

function Preview({ file, caption }: { file: File; caption: string | null }) {
  const src = useFilePreview(file)
  return (
    <figure>
      <MediaPicture src={src} isVideo={isVideo(file.name)} className="size-18" />
      {caption ? (
        <figcaption className="mt-0.5 text-center text-caption text-ink-3">{caption}</figcaption>
      ) : null}
    </figure>
  )
}

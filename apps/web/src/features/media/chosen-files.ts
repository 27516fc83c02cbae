import { isPictureName, MEDIA_EXTENSIONS, nameMedia } from '@pegasus/contracts/media/media-files'
import { newIdempotencyKey } from '@/lib/http/uploads/upload.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A file in the form, before it is sent. */
export interface ChosenFile {
  id: string
  file: File
}

/** A chosen file with the name that it will get, or the reason why it is refused. */
export interface NamedFile extends ChosenFile {
  name: string | null
  problem: string | null
  isPoster: boolean
}

export const toChosen = (file: File): ChosenFile => ({ id: newIdempotencyKey(), file })

export const isAccepted = ({ name }: File): boolean =>
  MEDIA_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))

export interface Marks {
  /** True if one picture becomes the poster. */
  isPoster: boolean
  /** Id of the poster. By default it is the first picture. */
  posterId: string | null
  /** True if the `.webm` file is the product's video. */
  isVideo: boolean
}

export const posterOf = (files: readonly ChosenFile[], { isPoster, posterId }: Marks): string | null => {
  if (!isPoster) return null
  const pictures = files.filter(({ file }) => isAccepted(file) && isPictureName(file.name))
  return (pictures.find(({ id }) => id === posterId) ?? pictures[0])?.id ?? null
}

/** Returns the files in the same order, each with its new name or the reason why it is refused. */
export function nameFiles(slug: string, files: readonly ChosenFile[], marks: Marks): NamedFile[] {
  const posterId = posterOf(files, marks)
  const taken = files.filter(({ file }) => isAccepted(file))
  const names = nameMedia(
    slug,
    taken.map(({ id, file }) => ({
      name: file.name,
      isPoster: id === posterId,
      isVideo: marks.isVideo,
    })),
  )
  const nameOf = new Map(taken.map(({ id }, at) => [id, names[at] ?? null]))
  return files.map((chosen) => ({
    ...chosen,
    name: nameOf.get(chosen.id) ?? null,
    problem: nameOf.has(chosen.id)
      ? null
      : t('Only {MEDIA_EXTENSIONS} files can be uploaded here.', {
          MEDIA_EXTENSIONS: MEDIA_EXTENSIONS.join(', '),
        }),
    isPoster: chosen.id === posterId,
  }))
}

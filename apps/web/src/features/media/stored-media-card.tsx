import { Images } from 'lucide-react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import type { KnownMedia } from '@/lib/http/uploads/media-storage.ts'
import { isVideo, storedAddress } from './stored-address.ts'
import { t } from '@/lib/i18n/messages.ts'

interface StoredMediaCardProps {
  /** The slug in the form; empty if the text is not a valid slug. */
  slug: string
  media: readonly KnownMedia[]
  /** Slugs of the newest products, to choose from while the form has no slug. */
  slugs: readonly string[]
  onSlug: (slug: string) => void
}

const SLUGS_SHOWN = 12

/** Shows the product's current files, so that people see which of them a new file would replace. */
export const StoredMediaCard = ({ slug, media, slugs, onSlug }: StoredMediaCardProps) => (
  <Card
    title={t('Stored files')}
    {...(media.length > 0 && {
      aside: t('{media, plural, one {# file} other {# files}}', { media: media.length }),
    })}
  >
    {media.length === 0 ? (
      <EmptyState
        className="p-4"
        icon={<Images size={28} strokeWidth={1.4} aria-hidden />}
        title={slug === '' ? t('Choose a product') : t('No files for {slug} yet', { slug })}
        actions={
          slug === ''
            ? slugs.slice(0, SLUGS_SHOWN).map((each) => (
                <Button key={each} size="sm" className="max-w-full" onClick={() => onSlug(each)}>
                  <span className="truncate">{each}</span>
                </Button>
              ))
            : null
        }
      >
        {slug === ''
          ? t(
              'The stored pictures and videos of the product appear here. Enter its slug, or choose one of the newest products.',
            )
          : t('Uploaded pictures and videos appear here, under the names that the shop uses.')}
      </EmptyState>
    ) : (
      <ul
        aria-label={t('Stored files of {slug}', { slug })}
        className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-3 p-4"
      >
        {media.map((each) => (
          <li key={each.name} className="min-w-0">
            <a
              href={each.address}
              target="_blank"
              rel="noopener noreferrer"
              className="block rounded-control"
            >
              <MediaPicture
                src={storedAddress(each)}
                isVideo={isVideo(each.name)}
                width={320}
                className="aspect-square w-full"
              />
              <span className="mt-1 block truncate text-label link" title={each.name}>
                {each.name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

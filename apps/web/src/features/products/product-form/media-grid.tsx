import { ChevronLeft, ChevronRight, Star, X } from 'lucide-react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import type { FormPartProps } from './form-parts.ts'
import { MediaName } from './media-name.tsx'
import { moved, nameOfAddress, withoutAddress } from './product-media-files.ts'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the pictures in the shop's order, then the videos. */
export function MediaGrid({ form, onChange }: Pick<FormPartProps, 'form' | 'onChange'>) {
  const { images, videos, posterUrl } = form
  // A poster that is not among the pictures is shown separately.
  const posterAlone = posterUrl !== '' && !images.includes(posterUrl)
  if (images.length + videos.length === 0 && !posterAlone) return null
  return (
    <ul
      aria-label={t('Media of the product')}
      className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-3"
    >
      {posterAlone ? (
        <Tile
          address={posterUrl}
          badge={t('Poster')}
          onRemove={() => onChange({ posterUrl: images[0] ?? '' })}
        />
      ) : null}
      {images.map((address, at) => (
        <Tile
          key={address}
          address={address}
          badge={address === posterUrl ? t('Poster') : null}
          onPoster={address === posterUrl ? null : () => onChange({ posterUrl: address })}
          onEarlier={at > 0 ? () => onChange({ images: moved(images, at, -1) }) : null}
          onLater={at < images.length - 1 ? () => onChange({ images: moved(images, at, 1) }) : null}
          onRemove={() => onChange(withoutAddress(form, address))}
        />
      ))}
      {videos.map((address) => (
        <Tile
          key={address}
          address={address}
          isVideo
          badge={t('Video')}
          onRemove={() => onChange(withoutAddress(form, address))}
        />
      ))}
    </ul>
  )
}

interface TileProps {
  address: string
  isVideo?: boolean
  badge: string | null
  onPoster?: (() => void) | null
  onEarlier?: (() => void) | null
  onLater?: (() => void) | null
  onRemove: () => void
}

function Tile({ address, isVideo = false, badge, onPoster, onEarlier, onLater, onRemove }: TileProps) {
  const name = nameOfAddress(address)
  return (
    <li className="min-w-0">
      <div className="relative">
        <MediaPicture src={address} isVideo={isVideo} width={320} className="aspect-square w-full" />
        {badge ? (
          <span className="absolute top-1.5 start-1.5 rounded-badge bg-surface px-1.5 py-0.5 text-caption text-ink-2">
            {badge}
          </span>
        ) : null}
      </div>
      <MediaName address={address} className="mt-1" />
      <div className="-ms-1 flex">
        {onPoster ? (
          <IconButton size="sm" label={t('Make {name} the poster', { name })} onClick={onPoster}>
            <Star {...SMALL_ICON} />
          </IconButton>
        ) : null}
        {onEarlier ? (
          <IconButton size="sm" label={t('Move {name} toward the beginning', { name })} onClick={onEarlier}>
            <ChevronLeft {...SMALL_ICON} />
          </IconButton>
        ) : null}
        {onLater ? (
          <IconButton size="sm" label={t('Move {name} toward the end', { name })} onClick={onLater}>
            <ChevronRight {...SMALL_ICON} />
          </IconButton>
        ) : null}
        <IconButton size="sm" label={t('Remove {name}', { name })} className="ms-auto" onClick={onRemove}>
          <X {...SMALL_ICON} />
        </IconButton>
      </div>
    </li>
  )
}

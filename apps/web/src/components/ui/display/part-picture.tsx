import { Box } from 'lucide-react'
import { useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { filamentColor } from '@/lib/format/filament-color.ts'

interface PartPictureProps {
  /** Address of the picture, or null if there is none yet. */
  src: string | null
  /** Filament colour, `#RRGGBB`: items have their colour, models stay grey. */
  tint?: string | null | undefined
  /** Empty if the name is shown right next to it. */
  alt?: string
  /** Sets the size: `size-14`, `aspect-[5/4] w-full`. */
  className?: string
}

/** A part on its plinth; a blank part while there is no picture or it does not load. */
export function PartPicture({ src, tint, alt = '', className }: PartPictureProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  return (
    <span
      className={cx(
        'relative isolate grid shrink-0 place-items-center overflow-hidden rounded-control plinth',
        className,
      )}
    >
      {src && src !== failedSrc ? (
        <>
          <img
            src={src}
            alt={alt}
            loading="lazy"
            decoding="async"
            draggable={false}
            onError={() => setFailedSrc(src)}
            // Brightened before the filament's colour is applied.
            className={cx('absolute inset-0 size-full object-contain', tint && 'brightness-150')}
          />
          {tint ? <Tint src={src} color={tint} /> : null}
        </>
      ) : (
        <Box
          size={20}
          strokeWidth={1.5}
          className="text-ink opacity-50"
          role={alt ? 'img' : undefined}
          aria-label={alt || undefined}
          aria-hidden={!alt}
        />
      )}
    </span>
  )
}

/** Tints the picture below it; the part's own outline is the mask. */
const Tint = ({ src, color }: { src: string; color: string }) => (
  <span
    className="absolute inset-0 mix-blend-multiply"
    style={{ backgroundColor: filamentColor(color), mask: `url("${src}") center / contain no-repeat` }}
    aria-hidden
  />
)

import { Box, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { filamentColor } from '@/lib/format/filament-color.ts'

interface PartPictureProps {
  /** URL of the picture; null if there is none yet. */
  src: string | null
  /** Filament color, `#RRGGBB`. Items have one; models stay gray. */
  tint?: string | null | undefined
  /** Leave it empty if the name is shown right next to the picture. */
  alt?: string
  /** Shown while there is no picture or it does not load. */
  icon?: LucideIcon
  /** Sets the size: `size-14`, `aspect-[5/4] w-full`. */
  className?: string
}

/** A part on a plinth. A blank part, or another icon, is shown while there is no picture or it does not load. */
export function PartPicture({ src, tint, alt = '', icon: Icon = Box, className }: PartPictureProps) {
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
            // The picture is brightened before the filament's color is applied.
            className={cx('absolute inset-0 size-full object-contain', tint && 'brightness-150')}
          />
          {tint ? <Tint src={src} color={tint} /> : null}
        </>
      ) : (
        <Icon
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

/** Tints the picture below it. The outline of the part is the mask. */
const Tint = ({ src, color }: { src: string; color: string }) => (
  <span
    className="absolute inset-0 mix-blend-multiply"
    style={{ backgroundColor: filamentColor(color), mask: `url("${src}") center / contain no-repeat` }}
    aria-hidden
  />
)

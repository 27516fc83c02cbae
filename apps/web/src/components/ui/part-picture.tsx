import { Box } from 'lucide-react'
import { useState } from 'react'
import { cx } from '@/lib/class-names.ts'

interface PartPictureProps {
  /** Address of the picture, or null while there is none. */
  src: string | null
  /** Empty where the name stands right beside it. */
  alt?: string
  /** Sets the size: `size-14`, `aspect-[5/4] w-full`. */
  className?: string
}

/** A part on its plinth; a blank part while there is no picture or it does not load. */
export function PartPicture({ src, alt = '', className }: PartPictureProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  return (
    <span
      className={cx(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-control plinth',
        className,
      )}
    >
      {src && src !== failedSrc ? (
        <img
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailedSrc(src)}
          className="absolute inset-0 size-full object-contain"
        />
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

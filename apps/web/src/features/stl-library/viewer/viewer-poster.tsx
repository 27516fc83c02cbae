import { useState } from 'react'
import { cx } from '@/lib/class-names.ts'

interface ViewerPosterProps {
  /** The picture that the card has, so that it is there from the first paint on. */
  src: string
  /** The model itself is to be seen. */
  isGone: boolean
}

/**
 * The model's picture in the place where the model will stand, until that is to be seen. The picture is taken from the
 * same side and filled more, by the part itself: 0.8 of it, against 0.66 by the box around the part in the fitted view.
 */
export function ViewerPoster({ src, isGone }: ViewerPosterProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  if (src === failedSrc) return null
  return (
    <img
      src={src}
      alt=""
      decoding="sync"
      fetchPriority="high"
      draggable={false}
      onError={() => setFailedSrc(src)}
      className={cx(
        'pointer-events-none absolute inset-0 size-full scale-80 object-contain transition-[opacity,visibility] duration-200',
        isGone && 'invisible opacity-0',
      )}
    />
  )
}

import { useState } from 'react'
import { cx } from '@/lib/class-names.ts'

interface ViewerPosterProps {
  /** Address of the card's picture, which is cached already, so that it shows at the first paint. */
  src: string
  /** Whether the model itself is visible. */
  isGone: boolean
}

/**
 * The stored picture of the model, shown until the model itself is visible. Both show the part from the same side.
 * The part fills 0.8 of the picture, but its box fills only 0.66 of the fitted view, so the picture is scaled down.
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

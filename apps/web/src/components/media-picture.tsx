import { Film, ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { useProjectUrl } from '@/lib/http/config.ts'
import { pictureAddress } from '@/lib/http/picture-address.ts'

interface MediaPictureProps {
  /** A path in the product media bucket, a web URL, or a browser's object URL of a file. */
  src: string
  isVideo?: boolean
  /** Leave it empty if the name is shown right next to the picture. */
  alt?: string
  /** Width in pixels. A smaller copy is requested if there is one. */
  width?: number
  /** `contain` shows the whole picture; `cover` fills the area. */
  fit?: 'contain' | 'cover'
  className?: string
}

/** A picture or video of a product on a plinth, with a placeholder if it cannot be shown. */
export function MediaPicture({
  src,
  isVideo = false,
  alt = '',
  width = 640,
  fit = 'contain',
  className,
}: MediaPictureProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  const Icon = isVideo ? Film : ImageOff
  const projectUrl = useProjectUrl()
  const shownAddress = isVideo ? src : pictureAddress(src, { width, projectUrl })
  const hasFailed = failedSrc === shownAddress
  const iconName = hasFailed && alt ? alt : undefined
  // Most pictures of products have a white background, which would glare on a dark page.
  const object = cx(
    'absolute inset-0 size-full dark:brightness-85',
    fit === 'cover' ? 'object-cover' : 'object-contain',
  )
  return (
    <span
      className={cx(
        'relative isolate grid shrink-0 place-items-center overflow-hidden rounded-control plinth after:absolute after:inset-0 after:rounded-[inherit] after:shadow-[inset_0_0_0_1px_var(--line)] dark:after:hidden',
        className,
      )}
    >
      <Icon
        size={20}
        strokeWidth={1.5}
        className="text-ink opacity-50"
        role={iconName ? 'img' : undefined}
        aria-label={iconName}
        aria-hidden={!iconName}
      />
      {hasFailed ? null : isVideo ? (
        <video
          src={shownAddress}
          muted
          playsInline
          preload="metadata"
          onError={() => setFailedSrc(shownAddress)}
          className={object}
          aria-label={alt || undefined}
          aria-hidden={!alt}
        />
      ) : (
        <img
          src={shownAddress}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailedSrc(shownAddress)}
          // Most pictures have a white background, so the rest of the area is white as well.
          className={cx(object, 'bg-[#fff] dark:brightness-90')}
        />
      )}
    </span>
  )
}

/** Returns an object URL that shows a file before it is uploaded. The URL is valid while the component is mounted. */
export function useFilePreview(file: File): string {
  const [address] = useState(() => URL.createObjectURL(file))
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return address
}

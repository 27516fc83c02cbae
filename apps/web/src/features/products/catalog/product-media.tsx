import type { Product } from '@pegasus/contracts/products/products'
import { useState } from 'react'
import { MediaPicture } from '@/components/media-picture.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { cx } from '@/lib/class-names.ts'
import { isVideoAddress, nameOfAddress } from '../product-form/product-media-files.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the pictures and videos as the shop does: one of them large, and small ones to choose from. */
export function ProductMedia({ product, className }: { product: Product; className?: string }) {
  const { name, images, videos, posterUrl } = product
  const all = [...new Set([...(posterUrl ? [posterUrl] : []), ...images, ...videos])]
  const [chosen, setChosen] = useState<string | null>(null)
  const shownAddress = all.find((address) => address === chosen) ?? all[0]
  if (shownAddress === undefined)
    return (
      <Card title={t('Media')} {...(className && { className })}>
        <p className="p-4 text-ink-2">
          {t('This product has no picture yet. Edit the product to add pictures.')}
        </p>
      </Card>
    )
  return (
    <Card
      title={t('Media')}
      aside={t('{all, plural, one {# file} other {# files}}', { all: all.length })}
      {...(className && { className })}
    >
      {isVideoAddress(shownAddress) ? (
        <video
          src={shownAddress}
          controls
          muted
          playsInline
          className="aspect-video w-full plinth"
          aria-label={t('Video of {name}', { name })}
        />
      ) : (
        <MediaPicture
          src={shownAddress}
          alt={t('Picture of {name}', { name })}
          width={1280}
          className="aspect-video w-full rounded-none!"
        />
      )}
      {all.length > 1 ? (
        <ul aria-label={t('Pictures and videos')} className="flex flex-wrap gap-2 border-t border-line p-3">
          {all.map((address) => (
            <li key={address}>
              <button
                type="button"
                aria-label={t('Show {address}', { address: nameOfAddress(address) })}
                aria-pressed={address === shownAddress}
                onClick={() => setChosen(address)}
                className={cx(
                  'block rounded-control',
                  address === shownAddress && 'outline-2 outline-offset-1 outline-accent',
                )}
              >
                <MediaPicture
                  src={address}
                  isVideo={isVideoAddress(address)}
                  width={160}
                  className="size-14"
                />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}

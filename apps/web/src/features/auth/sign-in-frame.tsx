import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '@pegasus/contracts/client-config'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useMatchesMedia } from '@/lib/browser/use-is-phone.ts'
import { LogoMark } from '@/components/ui/display/logo.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { LanguageSelect } from './language/language-select.tsx'

/**
 * The part in the sign-in picture, which scripts/web/sign-in-picture.ts draws. The percentages are the part's highest
 * and lowest point in the square picture.
 */
const PART = {
  name: t('Planetary gearbox'),
  facts: '112.0 × 116.0 × 98.0 mm · 8,032 triangles',
  height: '98.0 mm',
  topPercent: 10.9,
  bottomPercent: 88.9,
}

/** Media query of the `lg:` styles, which put the form beside the picture. */
const WIDE = '(width >= 64rem)'

/** Shows a printed part and its main measurement. */
function PartHero() {
  return (
    <figure className="relative grid place-items-center overflow-hidden bg-[radial-gradient(80%_70%_at_50%_34%,var(--plinth-a)_30%,var(--plinth-b))]">
      <div className="relative -mt-9 aspect-square w-[min(760px,96%,calc(100dvh-80px))]">
        <img
          src="/sign-in-part.webp"
          width={960}
          height={960}
          alt={t('A printed part, rendered from its model')}
          fetchPriority="high"
          className="size-full object-contain"
        />
        <DimensionLine />
      </div>
      <figcaption className="absolute inset-x-8 bottom-7 flex gap-3 text-label text-ink">
        <span className="font-medium">{PART.name}</span>
        <span dir="ltr">{PART.facts}</span>
      </figcaption>
    </figure>
  )
}

const DimensionLine = () => (
  <div
    className="absolute left-[4%] w-4 -translate-x-1/2 border-y border-ink-2"
    style={{ top: `${PART.topPercent}%`, bottom: `${100 - PART.bottomPercent}%` }}
  >
    <div className="absolute inset-y-0 start-1/2 border-s border-ink-2" />
    <span className="absolute top-1/2 left-1/2 -translate-1/2 rounded-badge bg-plinth-a px-2 py-1 text-label font-[550] whitespace-nowrap text-ink">
      <bdi dir="ltr">{PART.height}</bdi>
    </span>
  </div>
)

interface SignInFrameProps {
  /** The link to the other sign-in screen, which keeps the requested page. */
  otherWay?: { path: string; label: string }
  below?: ReactNode
  /** The form, shown in a card. */
  children: ReactNode
}

export function SignInFrame({ otherWay, below, children }: SignInFrameProps) {
  const [search] = useSearchParams()
  const next = search.get('next')
  const isWide = useMatchesMedia(WIDE)
  return (
    <div className="grid min-h-dvh lg:grid-cols-[1.12fr_1fr]">
      {/* A narrow window does not even load the picture. */}
      {isWide ? <PartHero /> : null}
      <main className="flex flex-col items-center px-6 pt-10 pb-7 phone:px-4">
        {/* The card is aligned to the top, so that an error in it does not move the content above. */}
        <div className="mt-[15dvh] mb-auto phone:mt-[8dvh] flex w-full max-w-[372px] flex-col gap-4 pb-10">
          <div className="mb-2 flex items-center gap-3.5">
            <LogoMark size={40} />
            <div>
              <h1 className="text-figure leading-7 font-[650]">{PRODUCT_NAME}</h1>
              <p className="text-ink-2">{PRODUCT_SUBTITLE}</p>
            </div>
          </div>
          {children}
          {below}
          {otherWay ? (
            <Link
              to={{ pathname: otherWay.path, search: next ? `?${new URLSearchParams({ next })}` : '' }}
              className="mx-auto link text-label phone:py-3"
            >
              {otherWay.label}
            </Link>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
          <footer className="text-caption text-ink-3">
            {PRODUCT_NAME} · {PRODUCT_SUBTITLE}
          </footer>
          <LanguageSelect />
        </div>
      </main>
    </div>
  )
}

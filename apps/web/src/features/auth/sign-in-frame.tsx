import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '@pegasus/contracts/client-config'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { LogoMark } from '@/components/ui/display/logo.tsx'
import { PartHero } from './part-hero.tsx'

interface SignInFrameProps {
  /** The other sign-in screen, with the requested page. */
  otherWay?: { path: string; label: string }
  below?: ReactNode
  /** The form, in a card. */
  children: ReactNode
}

export function SignInFrame({ otherWay, below, children }: SignInFrameProps) {
  const [search] = useSearchParams()
  const next = search.get('next')
  return (
    <div className="grid min-h-dvh lg:grid-cols-[1.12fr_1fr]">
      <PartHero />
      <main className="flex flex-col items-center px-6 pt-10 pb-7 phone:px-4">
        {/* Hung from the top, so that nothing moves when the card grows by an error. */}
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
        <footer className="text-caption text-ink-3">
          {PRODUCT_NAME} · {PRODUCT_SUBTITLE}
        </footer>
      </main>
    </div>
  )
}

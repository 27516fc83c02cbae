import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { BackLink } from './ui/actions/back-link.tsx'
import { buttonClass } from './ui/actions/button.tsx'

interface PageHeadProps {
  backTo: string
  /** Name of the page to which the back link leads. */
  backLabel: string
  title: ReactNode
  /** Shown at the right end of the heading. */
  aside?: ReactNode
}

interface ReportHeadProps {
  backTo: string
  backLabel: string
  title: string
  /** The controls that choose what the page shows. */
  children: ReactNode
}

/** The heading of a page whose controls are in the same line, at the right end. */
export const ReportHead = ({ backTo, backLabel, title, children }: ReportHeadProps) => (
  <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-2">
    <BackLink to={backTo}>{backLabel}</BackLink>
    <h1 className="me-auto text-page font-[620]">{title}</h1>
    {children}
  </div>
)

/** The heading of a page, with a back link in front of it. */
export const PageHead = ({ backTo, backLabel, title, aside }: PageHeadProps) => (
  <div className="mb-3.5 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
    <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ms-2 max-w-full`}>
      <ArrowLeft size={16} strokeWidth={1.75} className="shrink-0" aria-hidden />
      <span className="truncate">{backLabel}</span>
    </Link>
    <h1 className="min-w-0 text-page font-[620] wrap-anywhere">{title}</h1>
    {aside ? <div className="ms-auto flex flex-wrap items-center gap-2">{aside}</div> : null}
  </div>
)

import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from './ui/actions/button.tsx'

interface PageHeadProps {
  backTo: string
  /** Address that the link back leads to. */
  backLabel: string
  title: ReactNode
  /** Shown at the right end. */
  aside?: ReactNode
}

/** The heading of a page, with the link back before it. */
export const PageHead = ({ backTo, backLabel, title, aside }: PageHeadProps) => (
  <div className="mb-3.5 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
    <Link to={backTo} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2 max-w-full`}>
      <ArrowLeft size={16} strokeWidth={1.75} className="shrink-0" aria-hidden />
      <span className="truncate">{backLabel}</span>
    </Link>
    <h1 className="min-w-0 text-page font-[620] wrap-anywhere">{title}</h1>
    {aside ? <div className="ml-auto flex flex-wrap items-center gap-2">{aside}</div> : null}
  </div>
)

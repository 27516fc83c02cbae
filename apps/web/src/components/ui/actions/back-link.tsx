import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from './button.tsx'

/** A link back to the list that a page belongs to. */
export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ms-2`}>
    <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
    {children}
  </Link>
)

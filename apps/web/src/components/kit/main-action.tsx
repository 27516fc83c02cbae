import type { ReactNode } from 'react'
import { Button } from '../ui/actions/button.tsx'

interface MainActionProps {
  label: string
  icon: ReactNode
  onClick: () => void
}

/** The main action of a list, in its filter bar. On a phone only the icon is shown, beside the search. */
export const MainAction = ({ label, icon, onClick }: MainActionProps) => (
  <Button variant="primary" icon={icon} className="phone:px-3.5!" onClick={onClick}>
    <span className="phone:sr-only">{label}</span>
  </Button>
)

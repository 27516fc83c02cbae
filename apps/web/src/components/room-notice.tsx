import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from './ui/card.tsx'
import { EmptyState } from './ui/empty-state.tsx'

interface RoomNoticeProps {
  /** The room's name, for people who cannot see the tabs. */
  name: string
  Icon: LucideIcon
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A room without a list: what it is for, and where to go from here. */
export function RoomNotice({ name, Icon, title, actions, children }: RoomNoticeProps) {
  return (
    <Card>
      <h1 className="sr-only">{name}</h1>
      <EmptyState
        className="p-4"
        icon={<Icon size={28} strokeWidth={1.4} aria-hidden />}
        title={title}
        actions={actions}
        titleLevel={2}
      >
        {children}
      </EmptyState>
    </Card>
  )
}

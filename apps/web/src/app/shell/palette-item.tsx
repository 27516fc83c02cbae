import { Command } from 'cmdk'
import type { ReactNode } from 'react'

/** One option in the list of the command palette. */
export const PaletteItem = ({
  value,
  onSelect,
  children,
}: {
  value: string
  onSelect: () => void
  children: ReactNode
}) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 font-medium data-[selected=true]:bg-hover phone:min-h-11"
  >
    {children}
  </Command.Item>
)

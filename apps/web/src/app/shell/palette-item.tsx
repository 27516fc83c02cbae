import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

/** One option in the list of the command palette. */
export const PaletteItem = ({
  value,
  onSelect,
  isIndented = false,
  children,
}: {
  value: string
  onSelect: () => void
  /** Whether the option is an action on the option above it. */
  isIndented?: boolean
  children: ReactNode
}) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className={cx(
      'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 data-[selected=true]:bg-hover phone:min-h-11',
      isIndented ? 'ps-9 text-ink-2' : 'font-medium',
    )}
  >
    {children}
  </Command.Item>
)

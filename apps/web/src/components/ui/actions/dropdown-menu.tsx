import { DropdownMenu as RadixMenu } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface DropdownMenuProps {
  /** The button that opens the menu. */
  trigger: ReactNode
  align?: 'start' | 'end'
  /** MenuItem, MenuSeparator, MenuLabel. */
  children: ReactNode
}

export function DropdownMenu({ trigger, align = 'end', children }: DropdownMenuProps) {
  return (
    <RadixMenu.Root modal={false}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float outline-none"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  )
}

interface MenuItemProps extends Omit<ComponentProps<typeof RadixMenu.Item>, 'className'> {
  icon?: ReactNode
  isDanger?: boolean
}

/** `asChild` turns it into a link. */
export function MenuItem({ icon, isDanger = false, asChild = false, children, ...rest }: MenuItemProps) {
  return (
    <RadixMenu.Item
      {...rest}
      asChild={asChild}
      className={cx(
        'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1.5 font-medium outline-none select-none data-disabled:opacity-55 data-highlighted:bg-hover phone:min-h-11 touch:min-h-11',
        isDanger ? 'text-red-ink' : 'text-ink',
      )}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </RadixMenu.Item>
  )
}

export const MenuSeparator = () => <RadixMenu.Separator className="-mx-1 my-1 h-px bg-line" />

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <RadixMenu.Label className="px-2.5 py-1.5 text-caption text-ink-3">{children}</RadixMenu.Label>
)

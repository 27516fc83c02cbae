import { DropdownMenu as RadixMenu } from 'radix-ui'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { MenuPartsContext } from './dropdown-menu.tsx'

const PARTS = { Item: RadixMenu.Item, Separator: RadixMenu.Separator, Label: RadixMenu.Label }

const FIRST_ITEM = '[role=menuitem]:not([data-disabled])'

interface OpenMenuProps {
  /** The button that has opened the menu. */
  button: HTMLElement
  align: 'start' | 'end'
  /** True if the menu was opened with the keyboard. Its first item then gets the focus. */
  isByKeyboard: boolean
  onClose: () => void
  children: ReactNode
}

/** An open menu at its button. It takes the focus, and returns the focus when it closes. */
export function OpenMenu({ button, align, isByKeyboard, onClose, children }: OpenMenuProps) {
  const id = useId()
  /** True if the person has clicked or focused another element, which then keeps the focus. */
  const hasLeft = useRef(false)
  useLayoutEffect(() => {
    // The anchor fills the button, and the button's name is also the menu's name.
    if (getComputedStyle(button).position === 'static') button.style.position = 'relative'
    button.id ||= id
  }, [button, id])
  return (
    <RadixMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {createPortal(
        <RadixMenu.Trigger asChild>
          <span aria-hidden className="pointer-events-none absolute inset-0" />
        </RadixMenu.Trigger>,
        button,
      )}
      <RadixMenu.Portal>
        <RadixMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-labelledby={button.id || id}
          onFocus={({ target, currentTarget }) => {
            if (isByKeyboard && target === currentTarget)
              currentTarget.querySelector<HTMLElement>(FIRST_ITEM)?.focus()
          }}
          onInteractOutside={(event) => {
            // The button handles the press itself and closes the menu.
            if (button.contains(event.target as Node)) event.preventDefault()
            else hasLeft.current = true
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!hasLeft.current) button.focus()
          }}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise overflow-y-auto rounded-card border border-line-2 bg-surface p-1 shadow-float outline-none"
        >
          <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  )
}

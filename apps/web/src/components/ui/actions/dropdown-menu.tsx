import { Trash2 } from 'lucide-react'
import type { DropdownMenu as RadixMenu } from 'radix-ui'
import {
  cloneElement,
  type ComponentProps,
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useContext,
  useState,
} from 'react'
import { cx } from '@/lib/class-names.ts'
import { loadable } from '@/lib/browser/loadable.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface DropdownMenuProps {
  /** The button that opens the menu. Its component must pass its props on to its element. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  /** The entries: MenuItem, MenuSeparator or MenuLabel elements. */
  children: ReactNode
}

/** The components for the entries of an open menu. They are loaded together with the menu. */
interface MenuParts {
  Item: ComponentType<ComponentProps<typeof RadixMenu.Item>>
  Separator: ComponentType<{ className: string }>
  Label: ComponentType<{ className: string; children: ReactNode }>
}

export const MenuPartsContext = createContext<MenuParts | null>(null)

function useParts(): MenuParts {
  const parts = useContext(MenuPartsContext)
  if (!parts) throw new Error('The parts of a menu must be inside a DropdownMenu')
  return parts
}

const openMenu = loadable(async () => (await import('./open-menu.tsx')).OpenMenu)
const OPENING_KEYS = ['Enter', ' ', 'ArrowDown']

/** A menu that is loaded when its button gets the pointer or the focus. It is mounted only while it is open. */
export function DropdownMenu({ trigger, align = 'end', children }: DropdownMenuProps) {
  const [button, setButton] = useState<HTMLElement | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [isByKeyboard, setIsByKeyboard] = useState(false)
  const preload = () => void openMenu.preload()
  return (
    <>
      {cloneElement(trigger, {
        ref: setButton,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'data-state': isOpen ? 'open' : 'closed',
        onPointerEnter: preload,
        onFocus: preload,
        onPointerDown: (event: PointerEvent) => {
          if (event.button !== 0 || event.ctrlKey) return
          setIsOpen(!isOpen)
          setIsByKeyboard(false)
          // The open menu takes the focus itself.
          if (!isOpen) event.preventDefault()
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (!OPENING_KEYS.includes(event.key)) return
          event.preventDefault()
          setIsOpen(event.key === 'ArrowDown' || !isOpen)
          setIsByKeyboard(true)
        },
      })}
      {isOpen && button ? (
        <Suspense fallback={null}>
          <openMenu.Component
            button={button}
            align={align}
            isByKeyboard={isByKeyboard}
            onClose={() => setIsOpen(false)}
          >
            {children}
          </openMenu.Component>
        </Suspense>
      ) : null}
    </>
  )
}

interface MenuItemProps extends Omit<ComponentProps<typeof RadixMenu.Item>, 'className'> {
  icon?: ReactNode
  isDanger?: boolean
}

/** An entry of a menu. `asChild` turns it into a link. */
export function MenuItem({ icon, isDanger = false, asChild = false, children, ...rest }: MenuItemProps) {
  const { Item } = useParts()
  return (
    <Item
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
    </Item>
  )
}

/** The last entry of a menu, below a line. */
export const DeleteMenuItem = ({ onSelect }: { onSelect: () => void }) => (
  <>
    <MenuSeparator />
    <MenuItem icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden />} isDanger onSelect={onSelect}>
      {t('Delete')}
    </MenuItem>
  </>
)

export function MenuSeparator() {
  const { Separator } = useParts()
  return <Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useParts()
  return <Label className="px-2.5 py-1.5 text-caption text-ink-3">{children}</Label>
}

import type { InventoryItem } from '@pegasus/contracts/inventory'
import { CopyPlus, Ellipsis, Printer, QrCode, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { printLabels } from '@/lib/print-labels.ts'
import { AddItemDialog } from './keeping/add-item-dialog.tsx'
import { EditItemDialog } from './keeping/edit-item-dialog.tsx'
import { useDeleteItem } from './keeping/use-keeping.ts'
import { LabelPictureDialog } from './label-picture-dialog.tsx'
import { STOCK_DEEDS, type StockDeed } from './moving/stock-deeds.ts'
import { StockDialog } from './moving/stock-dialog.tsx'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The label of an item as a picture, which any scanner reads off the screen, and the way to printing it. */
export function QrButton({ item, size = 'sm' }: { item: InventoryItem; size?: 'sm' | 'md' }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!item.qr_code_path) return null
  return (
    <>
      <Button
        variant="ghost"
        size={size}
        icon={<QrCode {...ICON} size={14} />}
        aria-haspopup="dialog"
        aria-label={`QR Code of ${item.name}`}
        onClick={() => setIsOpen(true)}
        className="relative"
      >
        QR Code
      </Button>
      {isOpen ? <LabelPictureDialog item={item} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

export function EditButton({ item, size = 'sm' }: { item: InventoryItem; size?: 'sm' | 'md' }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size={size}
        variant={size === 'md' ? 'primary' : 'secondary'}
        className="relative"
        aria-label={`Edit ${item.name}`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Edit
      </Button>
      {isOpen ? <EditItemDialog item={item} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

interface ItemMenuProps {
  item: InventoryItem
  size?: 'sm' | 'md'
  /** Leaves the page of an item that is about to go. */
  onRemove?: () => void
}

/** What else may be done with an item. */
export function ItemMenu({ item, size = 'sm', onRemove }: ItemMenuProps) {
  const [deed, setDeed] = useState<StockDeed | null>(null)
  const [isCopying, setIsCopying] = useState(false)
  const remove = useDeleteItem()
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton size={size} label={`More for ${item.name}`} className="relative">
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {STOCK_DEEDS.filter(({ isOffered }) => isOffered(item)).map((each) => (
          <MenuItem key={each.verb} icon={<each.Icon {...ICON} />} onSelect={() => setDeed(each)}>
            {each.verb}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<Printer {...ICON} />} onSelect={() => printLabels([{ kind: 'item', id: item.id }])}>
          Print label
        </MenuItem>
        <MenuItem icon={<CopyPlus {...ICON} />} onSelect={() => setIsCopying(true)}>
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 {...ICON} />}
          isDanger
          onSelect={() => {
            onRemove?.()
            remove.mutate(item)
          }}
        >
          Delete
        </MenuItem>
      </DropdownMenu>
      {deed ? <StockDialog item={item} deed={deed} onClose={() => setDeed(null)} /> : null}
      {isCopying ? <AddItemDialog like={item} onClose={() => setIsCopying(false)} /> : null}
    </>
  )
}

import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { CopyPlus, Ellipsis, Pencil, Printer, QrCode, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import {
  DeleteMenuItem,
  DropdownMenu,
  MenuItem,
  MenuSeparator,
} from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { AddItemDialog } from '../item-forms/add-item-dialog.tsx'
import { EditItemDialog } from '../item-forms/edit-item-dialog.tsx'
import { useItemTrash } from '../item-forms/use-item-mutations.ts'
import { STOCK_ACTIONS, type StockAction } from '../stock/stock-actions.ts'
import { StockDialog } from '../stock/stock-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { locationLabel } from './item-details.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface QrButtonProps {
  item: InventoryItem
  size?: 'sm' | 'md'
  /** True if the button is compact and has no text, for narrow rows. */
  isIcon?: boolean
}

/** Opens the label of an item as a picture, for scanning from the screen or printing. */
export function QrButton({ item, size = 'sm', isIcon = false }: QrButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (!item.qr_code_path) return null
  const label = t('QR Code of {name}', { name: item.name })
  const open = () => setIsOpen(true)
  return (
    <>
      {isIcon ? (
        <IconButton label={label} aria-haspopup="dialog" onClick={open} className="relative">
          <QrCode {...ICON} />
        </IconButton>
      ) : (
        <Button
          variant="ghost"
          size={size}
          icon={<QrCode {...ICON} size={14} />}
          aria-haspopup="dialog"
          aria-label={label}
          onClick={open}
          className="relative"
        >
          {t('QR Code')}
        </Button>
      )}
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
        aria-label={t('Edit {name}', { name: item.name })}
        data-edit=""
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('Edit')}
      </Button>
      {isOpen ? <EditItemDialog item={item} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

interface ItemMenuProps {
  item: InventoryItem
  size?: 'sm' | 'md'
  /** True if the menu also contains the actions that have their own buttons elsewhere. */
  isWhole?: boolean
  /** Called before the deletion, so that the item's page is left first. */
  onRemove?: () => void
}

/** The menu with the other actions of an item. */
export function ItemMenu({ item, size = 'sm', isWhole = false, onRemove }: ItemMenuProps) {
  const [action, setAction] = useState<StockAction | null>(null)
  const [opened, setOpened] = useState<'edit' | 'label' | 'copy' | null>(null)
  const close = () => setOpened(null)
  const { remove } = useItemTrash()
  return (
    <>
      <DropdownMenu
        trigger={
          <IconButton size={size} label={t('More for {name}', { name: item.name })} className="relative">
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {isWhole ? (
          <>
            <MenuItem icon={<Pencil {...ICON} />} onSelect={() => setOpened('edit')}>
              {t('Edit')}
            </MenuItem>
            {item.qr_code_path ? (
              <MenuItem icon={<QrCode {...ICON} />} onSelect={() => setOpened('label')}>
                {t('QR Code')}
              </MenuItem>
            ) : null}
            <MenuSeparator />
          </>
        ) : null}
        {STOCK_ACTIONS.filter(({ isOffered }) => isOffered(item)).map((each) => (
          <MenuItem key={each.verb} icon={<each.Icon {...ICON} />} onSelect={() => setAction(each)}>
            {each.verb}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<Printer {...ICON} />} onSelect={() => printLabels([{ kind: 'item', id: item.id }])}>
          {t('Print label')}
        </MenuItem>
        <MenuItem icon={<CopyPlus {...ICON} />} onSelect={() => setOpened('copy')}>
          {t('Duplicate')}
        </MenuItem>
        <DeleteMenuItem
          onSelect={() => {
            onRemove?.()
            remove.mutate(item)
          }}
        />
      </DropdownMenu>
      {action ? <StockDialog item={item} action={action} onClose={() => setAction(null)} /> : null}
      {opened === 'edit' ? <EditItemDialog item={item} onClose={close} /> : null}
      {opened === 'label' ? <LabelPictureDialog item={item} onClose={close} /> : null}
      {opened === 'copy' ? <AddItemDialog like={item} onClose={close} /> : null}
    </>
  )
}

interface LabelPictureDialogProps {
  item: InventoryItem
  onClose: () => void
}

/** Shows the code of an item large enough to scan it from the screen. */
const LabelPictureDialog = ({ item, onClose }: LabelPictureDialogProps) => (
  <Dialog
    isOpen
    onClose={onClose}
    size="sm"
    title={t('QR Code')}
    description={<bdi>{item.name}</bdi>}
    footer={
      <>
        {item.qr_code_path ? (
          <a
            href={item.qr_code_path}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'ghost' })}
          >
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
            {t('Open picture')}
          </a>
        ) : null}
        <Button
          variant="primary"
          icon={<Printer size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => {
            onClose()
            printLabels([{ kind: 'item', id: item.id }])
          }}
        >
          {t('Print label')}
        </Button>
      </>
    }
  >
    {/* The background is white in both themes, because scanners need a dark code on a light background. */}
    <div className="mx-auto w-fit rounded-control bg-white p-3">
      <img
        src={item.qr_code_path ?? undefined}
        alt={t('Code {label_code}', { label_code: item.label_code })}
        className="size-56"
      />
    </div>
    <p className="mt-3 text-center">
      <span className="font-semibold code">{item.label_code}</span>
      <span className="text-ink-3 code"> · {item.sku}</span>
    </p>
    {locationLabel(item) ? (
      <p className="text-center text-label text-ink-2">
        <bdi>{locationLabel(item)}</bdi>
      </p>
    ) : null}
  </Dialog>
)

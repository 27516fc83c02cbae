import { hasRole } from '@pegasus/contracts/roles'
import type { Spool } from '@pegasus/contracts/filament/spools'
import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  Droplets,
  Ellipsis,
  Printer,
  Pencil,
  QrCode,
  Scale,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { AddSpoolDialog } from './add-spool-dialog.tsx'
import { EditSpoolDialog } from './edit-spool-dialog.tsx'
import { LoadIntoPrinterDialog } from './load-into-printer-dialog.tsx'
import { useSpoolMutations } from './use-spool-mutations.ts'
import { CorrectDialog } from '../ledger/correct-dialog.tsx'
import { UseDialog } from '../ledger/use-filament-dialog.tsx'
import { WeighDialog } from '../ledger/weigh-dialog.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

const DIALOGS = {
  use: UseDialog,
  weigh: WeighDialog,
  correct: CorrectDialog,
  edit: EditSpoolDialog,
  load: LoadIntoPrinterDialog,
}

interface SpoolActionsProps {
  spool: Spool
  /** Use `md` in the head of a page and `sm` on a card. */
  size: 'sm' | 'md'
  /** Called before the deletion, so that the spool's page is left first. */
  onRemove?: () => void
}

/** The actions of a spool. Renders nothing for users who cannot change spools. */
export function SpoolActions({ spool, size, onRemove }: SpoolActionsProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [open, setOpen] = useState<keyof typeof DIALOGS | 'add' | null>(null)
  const mutations = useSpoolMutations()
  const isPhone = useIsPhone()
  if (!canChange) return null
  const close = () => setOpen(null)
  const OpenDialog = open === null || open === 'add' ? null : DIALOGS[open]
  const isArchived = spool.status === 'archived'
  // On a phone and on a card, there is no room for a third button. The menu has the action instead.
  const hasLoadButton = size === 'md' && !isPhone
  return (
    <span className="flex items-center gap-1.5">
      {isArchived ? (
        <Button
          size={size}
          icon={<ArchiveRestore {...ICON} />}
          aria-label={t('Use {label_code} again', { label_code: spool.label_code })}
          onClick={() => mutations.unarchive.mutate(spool)}
        >
          {t('Use again')}
        </Button>
      ) : (
        <>
          <Button
            size={size}
            variant={size === 'md' ? 'primary' : 'secondary'}
            icon={<Scale {...ICON} size={14} />}
            aria-label={t('Weigh {label_code}', { label_code: spool.label_code })}
            onClick={() => setOpen('weigh')}
          >
            {t('Weigh')}
          </Button>
          <Button
            size={size}
            aria-label={t('Use {label_code}', { label_code: spool.label_code })}
            onClick={() => setOpen('use')}
          >
            {t('Use')}
          </Button>
          {hasLoadButton ? (
            <Button size={size} icon={<Printer {...ICON} size={14} />} onClick={() => setOpen('load')}>
              {t('Load into a printer')}
            </Button>
          ) : null}
        </>
      )}
      <DropdownMenu
        trigger={
          <IconButton size={size} label={t('More for {label_code}', { label_code: spool.label_code })}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {isArchived || hasLoadButton ? null : (
          <MenuItem icon={<Printer {...ICON} />} onSelect={() => setOpen('load')}>
            {t('Load into a printer')}
          </MenuItem>
        )}
        <MenuItem icon={<Pencil {...ICON} />} onSelect={() => setOpen('edit')}>
          {t('Edit')}
        </MenuItem>
        <MenuItem icon={<CopyPlus {...ICON} />} onSelect={() => setOpen('add')}>
          {t('Add another like it')}
        </MenuItem>
        <MenuItem icon={<SlidersHorizontal {...ICON} />} onSelect={() => setOpen('correct')}>
          {t('Correct the remaining weight')}
        </MenuItem>
        <MenuItem icon={<Droplets {...ICON} />} onSelect={() => mutations.dry.mutate(spool)}>
          {t('Mark as dried')}
        </MenuItem>
        <MenuItem icon={<QrCode {...ICON} />} onSelect={() => printLabels([{ kind: 'spool', id: spool.id }])}>
          {t('Print label')}
        </MenuItem>
        <MenuSeparator />
        {isArchived ? null : (
          <MenuItem icon={<Archive {...ICON} />} onSelect={() => mutations.archive.mutate(spool)}>
            {t('Archive')}
          </MenuItem>
        )}
        <MenuItem
          icon={<Trash2 {...ICON} />}
          isDanger
          onSelect={() => {
            onRemove?.()
            mutations.remove.mutate(spool)
          }}
        >
          {t('Delete')}
        </MenuItem>
      </DropdownMenu>
      {OpenDialog ? <OpenDialog spool={spool} onClose={close} /> : null}
      {open === 'add' ? <AddSpoolDialog like={spool} onClose={close} /> : null}
    </span>
  )
}

import { isPrinterLost } from '@pegasus/contracts/print-queue/lost-prints'
import { WRONG_KEY } from '@pegasus/contracts/print-queue/printer-key'
import { isNetworkKind, type Printer } from '@pegasus/contracts/print-queue/printers'
import { hasRole } from '@pegasus/contracts/roles'
import {
  Camera,
  Check,
  CircleX,
  Ellipsis,
  KeyRound,
  Pause,
  Pencil,
  Play,
  QrCode,
  Spool,
  Unplug,
  Wrench,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { DeleteMenuItem, DropdownMenu, MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { readOneOf, withParams } from '@/lib/browser/address-state.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { EditPrinterDialog } from '../printer-forms/edit-printer-dialog.tsx'
import { ClearDialog } from './clear-dialog.tsx'
import { FailAtPrinterDialog } from './fail-at-printer-dialog.tsx'
import { LoadDialog } from './load-dialog.tsx'
import { MaintenanceDialog } from './maintenance-dialog.tsx'
import { PhotoDialog } from './photo-dialog.tsx'
import { pauseCommandOf } from './printer-button.ts'
import { StartAtPrinterDialog } from './start-at-printer-dialog.tsx'
import { usePrinterMutations } from './use-printer-mutations.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

const SMALL = { ...ICON, size: 14 } as const
const DIALOGS = {
  clear: ClearDialog,
  fail: FailAtPrinterDialog,
  start: StartAtPrinterDialog,
  load: LoadDialog,
  maintenance: MaintenanceDialog,
  photo: PhotoDialog,
  edit: EditPrinterDialog,
}

/** The dialogs that an address can open. */
const STEP_DIALOGS = ['clear', 'fail', 'load', 'edit'] as const

type StepDialog = (typeof STEP_DIALOGS)[number]

/**
 * Returns whether a printer waits for a step now. An address that is opened late must not offer the step for another
 * print.
 */
const isDue = (printer: Printer, step: StepDialog, nowMs: number): boolean =>
  step === 'load' ||
  step === 'edit' ||
  (step === 'clear' ? printer.state === 'needs_clearing' : hasLostPlate(printer, nowMs))

/** Returns whether a person has to report how the print on a printer ended. */
const hasLostPlate = (printer: Printer, nowMs: number): boolean => {
  const job = printer.current_job
  return job !== null && job.plate_state !== 'printed' && isPrinterLost(printer, job.plate_state, nowMs)
}

/**
 * Returns the step whose dialog the address of the printer's page opens, for example from the dashboard. A dialog that
 * is open stays open while the printer changes its state.
 */
function useAskedStep(printer: Printer): StepDialog | null {
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<StepDialog | null>(null)
  const nowMs = useNow()
  const asked = params.get('printer') === printer.id ? readOneOf(params, 'do', STEP_DIALOGS) : null
  const step = asked !== null && (asked === shown || isDue(printer, asked, nowMs)) ? asked : null
  if (step !== shown) setShown(step)
  const isLate = asked !== null && step === null
  useEffect(() => {
    if (isLate) setParams((now) => withParams(now, { do: null }), { replace: true })
  }, [isLate, setParams])
  return step
}

interface PrinterActionsProps {
  printer: Printer
  /** Use `md` in the head of a page and `sm` on a card. */
  size: 'sm' | 'md'
  /** Called before the deletion, so that the printer's page is left first. */
  onRemove?: () => void
}

/**
 * The actions of a printer. The action that the printer waits for is a button; most others are in a menu.
 * Renders nothing for people who may not change the printer.
 */
export function PrinterActions({ printer, size, onRemove }: PrinterActionsProps) {
  const { role } = useCurrentUser()
  const canChange = hasRole(role, 'staff')
  const [params, setParams] = useSearchParams()
  const [chosen, setOpen] = useState<keyof typeof DIALOGS | null>(null)
  const asked = useAskedStep(printer)
  const open = chosen ?? asked
  const close = () => {
    setOpen(null)
    if (asked) setParams(withParams(params, { do: null }), { replace: true })
  }
  const { pause, resume, test, remove } = usePrinterMutations()
  if (!canChange) return null
  const OpenDialog = open === null ? null : DIALOGS[open]
  // Only admins can change the key.
  const lacksKey = printer.state === 'error' && printer.state_reason === WRONG_KEY && hasRole(role, 'admin')
  const command = pauseCommandOf(printer)
  // On a card, and for a print that a person started, the pause command is in the menu instead.
  const isRunning = printer.state === 'printing' || printer.state === 'paused'
  const isCommandShown = size === 'md' && isNetworkKind(printer.kind) && isRunning
  const isOut = printer.state === 'maintenance' || printer.state === 'offline' || printer.state === 'error'
  return (
    <span className="flex items-center gap-1.5">
      <NextStep
        printer={printer}
        size={size}
        onClear={() => setOpen('clear')}
        onFail={() => setOpen('fail')}
        onStart={() => setOpen('start')}
      />
      {lacksKey ? (
        <Button
          size={size}
          icon={<KeyRound {...SMALL} />}
          aria-label={t('Enter the key of {name}', { name: printer.name })}
          onClick={() => setOpen('edit')}
        >
          {t('Enter the key')}
        </Button>
      ) : isOut ? (
        <Button
          size={size}
          aria-label={t('Put {name} back into use', { name: printer.name })}
          onClick={() => resume.mutate(printer)}
        >
          {t('Resume')}
        </Button>
      ) : null}
      {isCommandShown && command !== null ? (
        <Button
          size={size}
          icon={command === 'pause' ? <Pause {...SMALL} /> : <Play {...SMALL} />}
          isPending={pause.isPending}
          onClick={() => pause.mutate({ printer, command })}
        >
          {command === 'pause' ? t('Pause') : t('Continue printing')}
        </Button>
      ) : null}
      <DropdownMenu
        trigger={
          <IconButton size={size} label={t('More for {name}', { name: printer.name })}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {command === 'pause' && !isCommandShown ? (
          <MenuItem icon={<Pause {...ICON} />} onSelect={() => pause.mutate({ printer, command: 'pause' })}>
            {t('Pause')}
          </MenuItem>
        ) : null}
        {command === 'resume' && !isCommandShown ? (
          <MenuItem icon={<Play {...ICON} />} onSelect={() => pause.mutate({ printer, command: 'resume' })}>
            {t('Continue printing')}
          </MenuItem>
        ) : null}
        <MenuItem icon={<Spool {...ICON} />} onSelect={() => setOpen('load')}>
          {t('Load a spool')}
        </MenuItem>
        {printer.state === 'maintenance' ? null : (
          <MenuItem icon={<Wrench {...ICON} />} onSelect={() => setOpen('maintenance')}>
            {t('Maintenance')}
          </MenuItem>
        )}
        {isNetworkKind(printer.kind) ? (
          <MenuItem icon={<Unplug {...ICON} />} onSelect={() => test.mutate(printer)}>
            {t('Test the connection')}
          </MenuItem>
        ) : null}
        <MenuItem icon={<Pencil {...ICON} />} onSelect={() => setOpen('edit')}>
          {t('Edit')}
        </MenuItem>
        <MenuItem icon={<Camera {...ICON} />} onSelect={() => setOpen('photo')}>
          {t('Photo')}
        </MenuItem>
        <MenuItem
          icon={<QrCode {...ICON} />}
          onSelect={() => printLabels([{ kind: 'printer', id: printer.id }])}
        >
          {t('Print label')}
        </MenuItem>
        <DeleteMenuItem
          onSelect={() => {
            onRemove?.()
            remove.mutate(printer)
          }}
        />
      </DropdownMenu>
      {OpenDialog ? <OpenDialog printer={printer} onClose={close} /> : null}
    </span>
  )
}

interface NextStepProps {
  printer: Printer
  size: 'sm' | 'md'
  onClear: () => void
  onFail: () => void
  onStart: () => void
}

/** The button for the action that the printer waits for: clearing or failing the plate, or starting a job. */
function NextStep({ printer, size, onClear, onFail, onStart }: NextStepProps) {
  const { state, kind, current_job: job, name } = printer
  const isByHand = !isNetworkKind(kind)
  const nowMs = useNow()
  if (hasLostPlate(printer, nowMs))
    return (
      <Button
        size={size}
        icon={<CircleX {...SMALL} />}
        aria-label={t('Failed on {name}', { name })}
        onClick={onFail}
      >
        {t('Failed')}
      </Button>
    )
  if (
    state === 'needs_clearing' ||
    (isByHand && job !== null && (state === 'printing' || state === 'paused'))
  )
    return (
      <>
        {job === null ? null : (
          <Button
            size={size}
            icon={<CircleX {...SMALL} />}
            aria-label={t('Failed on {name}', { name })}
            onClick={onFail}
          >
            {t('Failed')}
          </Button>
        )}
        <Button
          size={size}
          variant={state === 'needs_clearing' ? 'primary' : 'secondary'}
          icon={<Check {...SMALL} />}
          aria-label={t('Done on {name}', { name })}
          onClick={onClear}
        >
          {t('Done')}
        </Button>
      </>
    )
  if (isByHand && state === 'available')
    return (
      <Button
        size={size}
        icon={<Play {...SMALL} />}
        aria-label={t('Start on {name}', { name })}
        onClick={onStart}
      >
        {t('Start')}
      </Button>
    )
  return null
}

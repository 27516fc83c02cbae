import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { canTakePieces, mostToSplitOff } from '@pegasus/contracts/print-queue/split-and-merge'
import { hasRole } from '@pegasus/contracts/roles'
import { isPrintJobActionAllowed, type PrintJobAction } from '@pegasus/contracts/statuses'
import {
  ArrowDown,
  ArrowUp,
  Ban,
  Check,
  CircleX,
  CopyPlus,
  Ellipsis,
  Merge,
  type LucideIcon,
  Pause,
  Pencil,
  Printer,
  QrCode,
  RotateCw,
  Split,
  Trash2,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { PrintAgainDialog } from './job-forms/add-job-dialog.tsx'
import { EditJobDialog } from './job-forms/edit-job-dialog.tsx'
import { CompleteDialog } from './steps/complete-dialog.tsx'
import { FailDialog } from './steps/fail-dialog.tsx'
import { MergeDialog } from './steps/merge-dialog.tsx'
import { ReasonDialog } from './steps/reason-dialog.tsx'
import { SplitDialog } from './steps/split-dialog.tsx'
import { StartDialog } from './steps/start-dialog.tsx'
import { nextStepOf, requeueModeOf } from './job-state.ts'
import { useJobSteps } from './steps/use-job-steps.ts'
import { useStart } from './steps/use-start.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

type JobDialog =
  | Exclude<PrintJobAction, 'start'>
  | 'requeue'
  | 'start_on'
  | 'print_again'
  | 'edit'
  | 'split'
  | 'merge'

/** Functions that move the job up or down by one position; undefined at the respective end of the queue. */
export interface JobMoves {
  up?: (() => void) | undefined
  down?: (() => void) | undefined
}

interface JobActionsProps {
  job: PrintJob
  moves?: JobMoves
  size?: 'sm' | 'md'
  /** Called before the deletion, so that the job's page is left first. */
  onRemove?: () => void
}

/**
 * The actions that the job's status allows. The most likely action is a button. Renders nothing for users who cannot
 * change jobs.
 */
export function JobActions({ job, moves = {}, size = 'sm', onRemove }: JobActionsProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const [open, setOpen] = useState<JobDialog | null>(null)
  const steps = useJobSteps()
  const { start, choose } = useStart(job, () => setOpen('start_on'))
  if (!canChange) return null
  const name = job.inventory_item_name
  // The page of a job has one primary action. In a list, each row would have one, so lists use secondary
  // buttons.
  const variant = size === 'md' ? 'primary' : 'secondary'
  const can = (action: PrintJobAction) => isPrintJobActionAllowed(action, job.status)
  const requeue = requeueModeOf(job)
  const nextStep = nextStepOf(job)
  const item = (label: string, Icon: LucideIcon, run: () => void, isDanger = false) => (
    <MenuItem icon={<Icon {...ICON} />} isDanger={isDanger} onSelect={run}>
      {label}
    </MenuItem>
  )
  return (
    <span className="relative flex items-center justify-end gap-1.5">
      {nextStep === 'start' ? (
        <Button size={size} variant={variant} aria-label={t('Start {name}', { name })} onClick={start}>
          {t('Start')}
        </Button>
      ) : nextStep === 'complete' ? (
        <Button
          size={size}
          variant={variant}
          aria-label={t('Complete {name}', { name })}
          onClick={() => setOpen('complete')}
        >
          {t('Complete')}
        </Button>
      ) : nextStep === 'requeue' ? (
        <Button
          size={size}
          variant={variant}
          aria-label={t('Requeue {name}', { name })}
          onClick={() => steps.requeueNow(job)}
        >
          {t('Requeue')}
        </Button>
      ) : nextStep === 'print_again' ? (
        <Button
          size={size}
          variant={variant}
          aria-label={t('Print {name} again', { name })}
          onClick={() => setOpen('print_again')}
        >
          {t('Print again')}
        </Button>
      ) : null}
      <DropdownMenu
        trigger={
          <IconButton size={size} label={t('More for {name}', { name })}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        {moves.up ? item(t('Move up'), ArrowUp, moves.up) : null}
        {moves.down ? item(t('Move down'), ArrowDown, moves.down) : null}
        {moves.up || moves.down ? <MenuSeparator /> : null}
        {can('start') ? item(t('Start on a printer'), Printer, choose) : null}
        {can('complete') && job.status !== 'in_progress'
          ? item(t('Complete'), Check, () => setOpen('complete'))
          : null}
        {can('fail') ? item(t('Failed'), CircleX, () => setOpen('fail')) : null}
        {can('hold') ? item(t('Hold'), Pause, () => setOpen('hold')) : null}
        {requeue && job.status === 'in_progress'
          ? item(t('Requeue'), RotateCw, () => setOpen('requeue'))
          : null}
        {job.status === 'completed' && job.next_job_id === null
          ? item(t('Undo completion'), Undo2, () => steps.undo(job))
          : null}
        {job.finished_at !== null && nextStep !== 'print_again'
          ? item(t('Print again'), CopyPlus, () => setOpen('print_again'))
          : null}
        {mostToSplitOff(job) > 0 ? item(t('Split'), Split, () => setOpen('split')) : null}
        {canTakePieces(job) ? item(t('Merge'), Merge, () => setOpen('merge')) : null}
        {item(t('Edit'), Pencil, () => setOpen('edit'))}
        {item(t('Print label'), QrCode, () => printLabels([{ kind: 'print_job', id: job.id }]))}
        <MenuSeparator />
        {can('cancel') ? item(t('Cancel job'), Ban, () => setOpen('cancel'), true) : null}
        {job.status === 'in_progress'
          ? null
          : item(
              t('Delete'),
              Trash2,
              () => {
                onRemove?.()
                steps.remove(job)
              },
              true,
            )}
      </DropdownMenu>
      <OpenDialog open={open} job={job} onClose={() => setOpen(null)} />
    </span>
  )
}

interface OpenDialogProps {
  open: JobDialog | null
  job: PrintJob
  onClose: () => void
}

function OpenDialog({ open, job, onClose }: OpenDialogProps) {
  switch (open) {
    case null:
      return null
    case 'start_on':
      return <StartDialog job={job} onClose={onClose} />
    case 'print_again':
      return <PrintAgainDialog job={job} onClose={onClose} />
    case 'complete':
      return <CompleteDialog job={job} onClose={onClose} />
    case 'fail':
      return <FailDialog job={job} onClose={onClose} />
    case 'hold':
    case 'cancel':
    case 'requeue':
      return <ReasonDialog action={open} job={job} onClose={onClose} />
    case 'split':
      return <SplitDialog job={job} onClose={onClose} />
    case 'merge':
      return <MergeDialog job={job} onClose={onClose} />
    case 'edit':
      return <EditJobDialog job={job} onClose={onClose} />
  }
}

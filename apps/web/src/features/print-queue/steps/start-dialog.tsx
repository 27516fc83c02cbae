import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SpoolSelect } from '../job-forms/spool-select.tsx'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { useStepForm } from './use-step-form.ts'

interface StartDialogProps {
  job: PrintJob
  onClose: () => void
}

/** Starts a job where it is told on which printer, and of which spool. */
export function StartDialog({ job, onClose }: StartDialogProps) {
  const steps = useJobSteps()
  const form = useStepForm(['printer', 'filament_id'], onClose)
  const [printer, setPrinter] = useState(job.printer ?? '')
  const [spoolId, setSpoolId] = useState(job.filament_id ?? '')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Start on a printer"
      size="sm"
      error={form.failure}
      onSubmit={() =>
        void form.submit(() =>
          steps.startOn(job, { printer, ...(spoolId !== '' && { filament_id: spoolId }) }),
        )
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            Start
          </Button>
        </>
      }
    >
      <JobLine job={job} />
      <div className="flex flex-col gap-4">
        <Field label="Printer" error={form.errors.printer}>
          <Input
            value={printer}
            maxLength={100}
            placeholder="Prusa MK4 · 02"
            autoFocus
            onChange={(event) => setPrinter(event.target.value)}
          />
        </Field>
        <Field label="Spool" error={form.errors.filament_id}>
          <SpoolSelect
            value={spoolId}
            material={job.material ?? ''}
            known={job.filament_id && { id: job.filament_id, label: job.filament_label ?? '' }}
            onChange={(spool) => setSpoolId(spool?.id ?? '')}
          />
        </Field>
      </div>
    </Dialog>
  )
}

import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { plannedTime, sizeOf, timesOf } from './print-texts.ts'
import type { Chosen } from './chosen-print.ts'
import { useScheduleChanges } from './schedule.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

interface MoveDialogProps {
  chosen: Chosen
  schedule: Schedule
  jobAddress: (id: string) => string
  onClose: () => void
}

/** Moves a print to another printer or position, without dragging. */
export function MoveDialog({ chosen, schedule, jobAddress, onClose }: MoveDialogProps) {
  const { print } = chosen
  const nowMs = useNow()
  const [printerId, setPrinterId] = useState(chosen.printer.id)
  const [beforeId, setBeforeId] = useState('')
  const { place } = useScheduleChanges()
  const printer = schedule.printers.find(({ id }) => id === printerId) ?? chosen.printer
  const otherPrints = printer.prints.filter(
    ({ print_job_id: id, is_running: isRunning }) => !isRunning && id !== print.print_job_id,
  )
  const submit = () =>
    place.mutate(
      {
        jobId: print.print_job_id,
        name: print.name,
        printerId,
        printer: printer.name,
        beforeId: beforeId === '' ? null : beforeId,
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      isOpen
      size="sm"
      title={t('Move {name}', { name: print.name })}
      onClose={onClose}
      onSubmit={submit}
      error={place.isError ? errorMessage(place.error, t('The job was not moved.')) : null}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" isPending={place.isPending}>
            {t('Move')}
          </Button>
        </>
      }
    >
      <p className="mb-4 text-label text-ink-2">
        <Link to={jobAddress(print.print_job_id)} className="link code">
          {print.label_code}
        </Link>{' '}
        · {sizeOf(print)} · {timesOf(print, nowMs)}
      </p>
      <div className="flex flex-col gap-4">
        <Field label={t('Printer')}>
          <Select
            value={printerId}
            autoFocus
            onChange={(event) => {
              setPrinterId(event.target.value)
              setBeforeId('')
            }}
          >
            <Options of={schedule.printers.map(({ id, name }) => ({ value: id, label: name }))} />
          </Select>
        </Field>
        <Field label={t('When')} hint={t('Jobs that come before it are assigned to the printer too')}>
          <Select value={beforeId} onChange={(event) => setBeforeId(event.target.value)}>
            <option value="">
              {otherPrints.length === 0 ? t('As the next print') : t('After all others')}
            </option>
            <Options
              of={otherPrints.map((other) => ({
                value: other.print_job_id,
                label: t('Before {name}, {starts_at}', {
                  name: other.name,
                  starts_at: plannedTime(other.starts_at, nowMs),
                }),
              }))}
            />
          </Select>
        </Field>
      </div>
    </Dialog>
  )
}

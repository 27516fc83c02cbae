import { COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { useState } from 'react'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { useRetriedSend } from '@/lib/http/use-retry-key.ts'
import { CountedPieces } from './counted-pieces.tsx'
import { UsedFields, useScannedUse } from './used-fields.tsx'
import {
  PLAIN_STEPS,
  type PlainStep,
  type ScannedPlate,
  completePlate,
  failPlate,
  startJob,
  stepJob,
} from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const isPlain = (action: string): action is PlainStep => action in PLAIN_STEPS

type Job = ScannedOf<'print_job'>

const labelOf = ({ number, printer, pieces }: NonNullable<ScannedPlate>): string =>
  joinFacts([
    t('Plate {number}', { number }),
    printer,
    t('{pieces, plural, one {# piece} other {# pieces}}', { pieces }),
  ])

const STILL_PRINTING = t(
  'The printer is still printing this plate. Wait until it has finished, or cancel the print.',
)

/**
 * The possible steps of a print job. Completing asks for the number of good pieces. If several plates are printing, the
 * person chooses the plate that is completed or has failed.
 */
export function JobActions({ job, scan }: { job: Job; scan: Scan }) {
  const { facts, actions } = job
  const [chosenId, setChosenId] = useState<string>()
  const [reason, setReason] = useState<string>(COMMON_FAILURE_REASONS[0])
  const plate = facts.plates.find(({ id }) => id === chosenId) ?? facts.plates[0] ?? null
  const [clearedId, setClearedId] = useState<string | null>(null)
  // A network printer starts its next print only when its bed is cleared.
  const isCleared = plate && !plate.is_by_hand ? clearedId === plate.id : undefined
  // Network printers report their filament and time themselves.
  const used = useScannedUse(plate?.is_by_hand ? plate.id : null)
  const isReady = !scan.isBusy && used.value !== null
  const use = used.value ?? {}
  const start = useRetriedSend((_job: { id: string }, headers) => startJob(job, headers))
  const canCount = actions.includes('complete') || actions.includes('fail')
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-label text-ink-2">
        <StatusBadge status={facts.status} />
        {t('{quantity} to print · P{priority}', {
          quantity: formatCount(facts.quantity),
          priority: facts.priority,
        })}
        {facts.order_number ? (
          <bdi> · {t('order {order_number}', { order_number: facts.order_number })}</bdi>
        ) : null}
      </p>
      {canCount && plate && facts.plates.length > 1 ? (
        <Field label={t('Plate')}>
          <Select value={plate.id} onChange={(event) => setChosenId(event.target.value)}>
            {facts.plates.map((running) => (
              <option key={running.id} value={running.id}>
                {labelOf(running)}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      {plate?.is_by_hand ? <UsedFields state={used} /> : null}
      {plate && !plate.can_complete ? (
        <p className="text-label text-ink-2">{STILL_PRINTING}</p>
      ) : actions.includes('complete') ? (
        <>
          {isCleared === undefined ? null : (
            <Checkbox
              label={t('The plate is off the bed')}
              checked={isCleared}
              onChange={({ target }) => setClearedId(target.checked ? (plate?.id ?? null) : null)}
            />
          )}
          <CountedPieces
            key={plate?.id}
            pieces={plate?.pieces ?? Math.max(1, facts.quantity - facts.good_quantity)}
            note={plate?.note ?? null}
            verb={t('Complete')}
            isBusy={!isReady}
            onCount={(counts) =>
              void scan.act(() => completePlate(job, { plate, isCleared, ...counts }, use))
            }
          />
        </>
      ) : null}
      {actions.includes('fail') ? (
        <div className="flex items-end gap-2">
          <Field label={t('Why it failed')} className="flex-1">
            <Select value={reason} onChange={(event) => setReason(event.target.value)}>
              <Options of={COMMON_FAILURE_REASONS} />
            </Select>
          </Field>
          <Button
            disabled={!isReady}
            onClick={() => void scan.act(() => failPlate(job, plate, { reason, ...use }))}
          >
            {t('Failed')}
          </Button>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {actions.filter(isPlain).map((step) => (
          <Button
            key={step}
            disabled={!isReady}
            onClick={() =>
              void scan.act(() => (step === 'start' ? start({ id: job.id }) : stepJob(job, step, use)))
            }
          >
            {PLAIN_STEPS[step].label}
          </Button>
        ))}
      </div>
    </>
  )
}

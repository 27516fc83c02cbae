import { COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { useState } from 'react'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { PLAIN_STEPS, type PlainStep, completeJob, failJob, stepJob } from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'

const isPlain = (action: string): action is PlainStep => action in PLAIN_STEPS

const whole = (text: string): number => Math.max(0, Math.trunc(Number(text)) || 0)

/** The possible steps of a print job. Finishing the job asks for the number of good pieces. */
export function JobActions({ job, scan }: { job: ScannedOf<'print_job'>; scan: Scan }) {
  const { facts, actions } = job
  const [good, setGood] = useState(String(facts.quantity))
  const [rejected, setRejected] = useState('0')
  const [reason, setReason] = useState<string>(COMMON_FAILURE_REASONS[0])
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-label text-ink-2">
        <StatusBadge status={facts.status} />
        {formatCount(facts.quantity)} to print · P{facts.priority}
        {facts.order_number ? <bdi> · order {facts.order_number}</bdi> : null}
      </p>
      {actions.includes('complete') ? (
        <div className="flex items-end gap-2">
          <Field label="Good" className="flex-1">
            <Input value={good} inputMode="numeric" onChange={(event) => setGood(event.target.value)} />
          </Field>
          <Field label="Rejected" className="flex-1">
            <Input
              value={rejected}
              inputMode="numeric"
              onChange={(event) => setRejected(event.target.value)}
            />
          </Field>
          <Button
            variant="primary"
            disabled={scan.isBusy}
            onClick={() => void scan.act(() => completeJob(job, whole(good), whole(rejected)))}
          >
            Complete
          </Button>
        </div>
      ) : null}
      {actions.includes('fail') ? (
        <div className="flex items-end gap-2">
          <Field label="Why it failed" className="flex-1">
            <Select value={reason} onChange={(event) => setReason(event.target.value)}>
              <Options of={COMMON_FAILURE_REASONS} />
            </Select>
          </Field>
          <Button disabled={scan.isBusy} onClick={() => void scan.act(() => failJob(job, reason))}>
            Failed
          </Button>
        </div>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {actions.filter(isPlain).map((step) => (
          <Button key={step} disabled={scan.isBusy} onClick={() => void scan.act(() => stepJob(job, step))}>
            {PLAIN_STEPS[step].label}
          </Button>
        ))}
      </div>
    </>
  )
}

import type { UnplannedJob } from '@pegasus/contracts/print-queue/schedule'
import { hasRole } from '@pegasus/contracts/roles'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useClearPlate } from '../matching/use-clear-plate.tsx'
import { useMatching } from '../matching/use-matching.ts'
import { WaitActions } from '../matching/wait-actions.tsx'
import type { JobAddresses } from '../print-queue-address.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The id of the list's element, to which a link scrolls. */
export const UNPLANNED_ID = 'unplanned-jobs'

/** The steps that resolve the reasons of a job, for people who may change the printers and the queue. */
function UnplannedActions({
  job,
  onClear,
  jobAddress,
  addresses,
}: {
  job: UnplannedJob
  onClear: (printerId: string) => void
  jobAddress: (id: string) => string
  addresses: JobAddresses
}) {
  const matching = useMatching({ id: job.print_job_id })
  const actions = job.waits_for.flatMap(({ action }) => action ?? [])
  if (!hasRole(useCurrentUser().role, 'staff') || actions.length === 0) return null
  return (
    <span className="ms-auto flex flex-wrap justify-end gap-1.5">
      <WaitActions
        actions={actions}
        name={job.name}
        matching={matching}
        onClear={onClear}
        addresses={addresses}
        jobAddress={jobAddress(job.print_job_id)}
      />
    </span>
  )
}

/** Lists the jobs that no printer can print now, each with its reasons and the steps that resolve them. */
export function UnplannedJobs({
  jobs,
  jobAddress,
  addresses,
  ref,
}: {
  jobs: readonly UnplannedJob[]
  jobAddress: (id: string) => string
  addresses: JobAddresses
  /** Gets the list, so that a link can lead to it. */
  ref: Ref<HTMLDivElement>
}) {
  const clear = useClearPlate()
  return (
    <>
      {jobs.length === 0 ? null : (
        <div ref={ref} id={UNPLANNED_ID} tabIndex={-1} className="mt-4 outline-none">
          <Card title={t('Not planned')}>
            <ul className="divide-y divide-line">
              {jobs.map((job) => (
                <li
                  key={job.print_job_id}
                  className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5"
                >
                  <PartPicture src={job.thumbnail_path} tint={job.color_hex} className="size-12" />
                  <div className="min-w-0 flex-1 basis-56">
                    <Link to={jobAddress(job.print_job_id)} className="font-medium hover:underline">
                      <bdi>{job.name}</bdi>
                    </Link>{' '}
                    <span className="code text-caption text-ink-3">{job.label_code}</span>
                    {job.waits_for.map(({ code, message }) => (
                      <p key={code + message} className="text-label text-ink-2">
                        {serverText(message)}
                      </p>
                    ))}
                  </div>
                  <UnplannedActions
                    job={job}
                    onClear={clear.open}
                    jobAddress={jobAddress}
                    addresses={addresses}
                  />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
      {clear.dialog}
    </>
  )
}

import type { UnplannedJob } from '@pegasus/contracts/print-queue/schedule'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** The id of the list, for a link to it. */
export const UNPLANNED_ID = 'unplanned-jobs'

/** Lists the jobs that no printer can print now, each with its reasons. */
export const UnplannedJobs = ({
  jobs,
  jobAddress,
  ref,
}: {
  jobs: readonly UnplannedJob[]
  jobAddress: (id: string) => string
  /** Gets the list, so that a link can lead to it. */
  ref: Ref<HTMLDivElement>
}) =>
  jobs.length === 0 ? null : (
    <div ref={ref} id={UNPLANNED_ID} tabIndex={-1} className="mt-4 outline-none">
      <Card title={t('Not planned')}>
        <ul className="divide-y divide-line">
          {jobs.map((job) => (
            <li key={job.print_job_id} className="flex items-center gap-3 px-4 py-2.5">
              <PartPicture src={job.thumbnail_path} tint={job.color_hex} className="size-12" />
              <div className="min-w-0 flex-1">
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
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )

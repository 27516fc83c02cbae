import { useSearchParams } from 'react-router'
import { type JobAddresses, JobPage } from './job-page.tsx'
import { JobList } from './job-list.tsx'
import { JobTrash } from './job-forms/job-trash.tsx'
import { isTrashOpen, withTrash, withJob } from './print-queue-address.ts'

/** The print queue, its trash, or the job whose id is in the URL. */
export function PrintQueuePage({ addresses }: { addresses: JobAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('job')
  const addressOf = (jobId: string) => `?${withJob(params, jobId)}`
  if (!id && isTrashOpen(params)) return <JobTrash backTo={`?${withTrash(params, false)}`} />
  if (!id) return <JobList addressOf={addressOf} />
  return (
    <JobPage
      key={id}
      id={id}
      backTo={`?${withJob(params, null)}`}
      jobAddress={addressOf}
      addresses={addresses}
    />
  )
}

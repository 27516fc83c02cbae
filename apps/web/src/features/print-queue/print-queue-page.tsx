import { useSearchParams } from 'react-router'
import { type JobAddresses, JobPage } from './job-page.tsx'
import { JobList } from './job-list.tsx'
import { JobBin } from './job-forms/job-trash.tsx'
import { isBin, withBin, withJob } from './print-queue-address.ts'

/** The print queue, its bin, or the one job that the address names. */
export function PrintQueuePage({ addresses }: { addresses: JobAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('job')
  const addressOf = (jobId: string) => `?${withJob(params, jobId)}`
  if (!id && isBin(params)) return <JobBin backTo={`?${withBin(params, false)}`} />
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

import { useSearchParams } from 'react-router'
import { JobPage } from './job-page.tsx'
import { JobList } from './job-list.tsx'
import { JobTrash } from './job-forms/job-trash.tsx'
import {
  isProductionOpen,
  isReplenishmentOpen,
  isScheduleOpen,
  isTrashOpen,
  type JobAddresses,
  withJob,
  withProduction,
  withReplenishment,
  withSchedule,
  withTrash,
} from './print-queue-address.ts'
import { ProductionPage } from './production-report-page.tsx'
import { ReplenishmentPage } from './replenishment/replenishment-page.tsx'
import { SchedulePage } from './schedule/schedule-page.tsx'

/** The print queue, its schedule, the nightly replenishment, its trash, or the job whose id is in the URL. */
export function PrintQueuePage({ addresses }: { addresses: JobAddresses }) {
  const [params] = useSearchParams()
  const id = params.get('job')
  const addressOf = (jobId: string) => `?${withJob(params, jobId)}`
  if (!id && isTrashOpen(params)) return <JobTrash backTo={`?${withTrash(params, false)}`} />
  if (!id && isScheduleOpen(params))
    return (
      <SchedulePage
        queueAddress={`?${withSchedule(params, false)}`}
        reportAddress={`?${withProduction(params)}`}
        jobAddress={addressOf}
        addresses={addresses}
      />
    )
  if (!id && isProductionOpen(params)) return <ProductionPage backTo={`?${withSchedule(params, true)}`} />
  if (!id && isReplenishmentOpen(params))
    return (
      <ReplenishmentPage queueAddress={`?${withReplenishment(params, false)}`} itemAddress={addresses.item} />
    )
  if (!id) return <JobList addressOf={addressOf} printersAddress={addresses.printers} />
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

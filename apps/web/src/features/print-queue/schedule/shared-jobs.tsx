import type { PlannedPrint } from '@pegasus/contracts/print-queue/schedule'
import { Link } from 'react-router'
import { t } from '@/lib/i18n/messages.ts'

/** Number of jobs that are named. The sentence counts all of them. */
const NAMED = 5

/** Says that accepting the plan leaves out the jobs that several printers share, and leads to these jobs. */
export const SharedJobs = ({
  jobs,
  jobAddress,
}: {
  /** One print of each shared job. */
  jobs: readonly PlannedPrint[]
  jobAddress: (id: string) => string
}) =>
  jobs.length === 0 ? null : (
    <p className="mb-3 text-label text-ink-2">
      {t(
        'Accept leaves out {jobs, plural, one {# job} other {# jobs}} that several printers share: split each job over its proposed printers, or move it to one of them.',
        { jobs: jobs.length },
      )}
      {jobs.slice(0, NAMED).map(({ print_job_id: id, name, label_code: code }, at) => (
        <span key={id}>
          {at === 0 ? ' ' : ' · '}
          <Link to={jobAddress(id)} className="link">
            <bdi>{name}</bdi> <span className="code">{code}</span>
          </Link>
        </span>
      ))}
    </p>
  )

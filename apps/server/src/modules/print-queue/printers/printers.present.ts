import { fromMinor } from '@pegasus/contracts/money'
import type { Printer, PrinterNeed } from '@pegasus/contracts/print-queue/printers'
import { isAdmin } from '@pegasus/contracts/roles'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { picturePathOf } from '../../stl-library/index.ts'
import { maintenanceProgress } from './maintenance-due.ts'
import type { PrinterRow } from './printers.queries.ts'

export interface PrinterPresentation {
  signer: PathSigner
  currency: string
  now: Date
  /** The role of the caller. Only admins see the address of a printer. */
  role: string
}

type JobOnPrinter = NonNullable<PrinterRow['next_job']>

const pictureOf = (job: JobOnPrinter, signer: PathSigner): string | null =>
  job.has_picture && job.stl_file_id !== null
    ? picturePathOf(signer, { modelId: job.stl_file_id, pictureVersion: job.picture_version })
    : null

const presentJobOn = <Job extends JobOnPrinter>(job: Job | null, signer: PathSigner) =>
  job && { ...job, thumbnail_path: pictureOf(job, signer) }

/** Returns the signed path of a photo. Its end is the name of the photo, so that a cache does not show an old photo. */
const photoPathOf = (printerId: string, key: string, signer: PathSigner): string =>
  `${signer.sign(`/api/printers/${printerId}/photo`)}&of=${/[^/]*(?=\.webp$)/.exec(key)?.[0]}`

/**
 * Returns why a printer needs a person, or null. `floorGroup` contains the same rule in SQL. Due maintenance counts
 * only for an available printer, because nobody can do it during a print.
 */
function needOf(row: PrinterRow, now: Date): PrinterNeed | null {
  const { state, state_until: until } = row
  if (state === 'error' || state === 'needs_clearing' || state === 'paused') return state
  if (state === 'maintenance') return until !== null && new Date(until) <= now ? 'maintenance' : null
  if (state !== 'available') return null
  const wear = { printedMinutes: row.printed_minutes, now }
  if (row.maintenance.some((plan) => maintenanceProgress(plan, wear).isDue)) return 'maintenance'
  return row.spool_to_load ? 'spool' : null
}

/** Converts a printer to the API format. The response schema drops internal fields. */
export function presentPrinter(row: PrinterRow, show: PrinterPresentation): Printer {
  const ended = row.finished_plates + row.failed_plates
  const wear = { printedMinutes: row.printed_minutes, now: show.now }
  const current = presentJobOn(row.current_job, show.signer)
  const rate = row.machine_minor_per_hour
  return {
    ...row,
    agent_facts: row.agent_facts && {
      ...row.agent_facts,
      stated_at: new Date(row.agent_facts.stated_at).toISOString(),
    },
    address: isAdmin(show.role) ? row.address : null,
    hourly_rate: rate === null ? null : fromMinor(rate, show.currency),
    camera_path: row.has_camera ? show.signer.sign(`/api/printers/${row.id}/camera`) : null,
    photo_path: row.photo_key && photoPathOf(row.id, row.photo_key, show.signer),
    print_hours: Math.round(row.printed_minutes / 6) / 10,
    success_rate: ended === 0 ? null : row.finished_plates / ended,
    current_job_id: row.current_job?.id ?? null,
    current_job: current && { ...current, started_at: new Date(current.started_at).toISOString() },
    next_job: presentJobOn(row.next_job, show.signer),
    proposed_job: presentJobOn(row.proposed_job, show.signer),
    maintenance_due: row.maintenance
      .filter((plan) => maintenanceProgress(plan, wear).isDue)
      .map(({ name }) => name),
    needs_person: needOf(row, show.now),
  }
}

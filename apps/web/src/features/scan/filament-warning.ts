import { getPrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { lookUp } from './scan-mutations.ts'

const isSame = (wanted: string | null, given: string): boolean =>
  wanted === null || wanted.trim().toLowerCase() === given.trim().toLowerCase()

const nameOf = (material: string | null, color: string | null): string =>
  [material, color].filter(Boolean).join(' ')

/**
 * Returns a warning if the spool would go into a printer that is printing a job of another material or color. Null if
 * it fits, or if the printer prints nothing. Null also if the printer has an empty slot, because the spool goes there
 * and does not affect the print.
 */
export async function warnOfFilament(
  { title, facts }: ScannedOf<'printer'>,
  spool: ScannedOf<'spool'>,
): Promise<string | null> {
  const isPrinting = facts.state === 'printing' || facts.state === 'paused'
  const hasEmptySlot = facts.slots > 1 && facts.next_slot?.filament_id === null
  if (!isPrinting || hasEmptySlot || facts.job_code === null) return null
  const found = await lookUp(facts.job_code)
  if (found?.kind !== 'print_job') return null
  const job = await callApi(getPrintJob, { params: { id: found.id } })
  const fitsColor = job.match_strictness !== 'exact' || isSame(job.color, spool.facts.color)
  if (fitsColor && isSame(job.material, spool.facts.material)) return null
  return t('“{printer}” is printing {job} with {filament}. {spool} is {other}.', {
    printer: title,
    job: facts.job_code,
    filament: nameOf(job.material, job.color),
    spool: spool.code,
    other: nameOf(spool.facts.material, spool.facts.color),
  })
}

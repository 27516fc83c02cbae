import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { countEntries, isServerAtWork, isWorthShowing } from '../imports/import-details.ts'
import { formatBytesOf } from '@/lib/format/bytes.ts'
import { isUnderWay, type UploadJob } from '../upload-queue.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** A line of the tray: an upload from this page, or an import on the server. */
export type TrayItem =
  | { key: string; job: UploadJob; known: null }
  /** `job` is null for an import that this page did not start. */
  | { key: string; job: UploadJob | null; known: ModelImport }

export type Phase = 'active' | 'done' | 'failed' | 'choosing' | 'cancelled'

export const phaseOfImport = (known: ModelImport): Phase => {
  if (isServerAtWork(known)) return 'active'
  if (known.status === 'choosing') return 'choosing'
  if (known.status === 'done')
    return known.entries?.some(({ status }) => status === 'failed') ? 'failed' : 'done'
  return known.status === 'cancelled' && known.error === null ? 'cancelled' : 'failed'
}

export function phaseOf({ job, known }: TrayItem): Phase {
  if (known) return phaseOfImport(known)
  if (isUnderWay(job)) return 'active'
  if (job.state.status === 'failed' || job.state.status === 'cancelled') return job.state.status
  return 'done'
}

/** Returns the lines of the tray: uploads of this page in their order, then earlier imports. */
export function trayItems(
  jobs: readonly UploadJob[],
  imports: readonly ModelImport[],
  earlier: { areShown: boolean; nowMs: number },
): TrayItem[] {
  const byId = new Map(imports.map((known) => [known.id, known]))
  const begunHere = jobs.flatMap((job): TrayItem[] => {
    if (job.state.status !== 'import') return [{ key: job.id, job, known: null }]
    const known = byId.get(job.state.importId)
    byId.delete(job.state.importId)
    // An import that was cancelled elsewhere no longer has a line.
    return known && phaseOfImport(known) !== 'cancelled' ? [{ key: job.id, job, known }] : []
  })
  if (!earlier.areShown) return begunHere
  const others = [...byId.values()].filter((known) => isWorthShowing(known, earlier.nowMs))
  return [...begunHere, ...others.map((known): TrayItem => ({ key: known.id, job: null, known }))]
}

/** Returns the sent bytes and the total bytes, without cancelled uploads. */
function bytesOf(items: readonly TrayItem[]): { sent: number; total: number } {
  let [sent, total] = [0, 0]
  for (const item of items) {
    if (['failed', 'cancelled'].includes(phaseOf(item))) continue
    const { job, known } = item
    const size = job?.file ? job.sizeBytes : (known?.total_bytes ?? 0)
    total += size
    if (job?.state.status === 'sending') sent += job.state.sentBytes
    else if (known?.status === 'fetching') sent += Math.min(size, known.received_bytes)
    else if (phaseOf(item) !== 'active' || known) sent += size
  }
  return { sent, total }
}

export interface TraySummary {
  /** Names the running work, or its result. */
  title: string
  /** The number of failures as text; null if nothing failed. */
  failure: string | null
  /** The progress in bytes, while there are bytes to send. */
  detail: string | null
  /** Read out by screen readers. */
  announcement: string
}

const countOf = (items: readonly TrayItem[], phase: Phase): number =>
  items.filter((item) => phaseOf(item) === phase).length

export function summarize(items: readonly TrayItem[]): TraySummary {
  const active = countOf(items, 'active')
  // Imports that ended earlier are not part of the running work.
  const countedItems =
    active > 0 ? items.filter((item) => item.job !== null || phaseOf(item) === 'active') : items
  const [done, failed, choosing] = [
    countOf(countedItems, 'done'),
    countOf(countedItems, 'failed'),
    countOf(countedItems, 'choosing'),
  ]
  const outcome = [
    done > 0 ? t('{done} added', { done }) : null,
    choosing > 0
      ? t('{choosing, plural, one {# archive} other {# archives}} to choose from', { choosing })
      : null,
  ].filter((part) => part !== null)
  const failure = failed > 0 ? t('{failed} failed', { failed }) : null
  const { sent, total } = bytesOf(countedItems)
  return {
    title:
      active > 0
        ? t('Uploading {active} of {counted}', { active, counted: countedItems.length })
        : joinFacts(outcome),
    failure,
    detail: active > 0 && total > 0 ? formatBytesOf(sent, total) : null,
    announcement: [...outcome, ...(failure ? [failure] : [])].join(', '),
  }
}

/** Describes the state of an archive: "3 of 12 files", "12 models added". */
export function archiveText({ status, entries }: ModelImport): string {
  const { all, models, chosen, done, failed } = countEntries(entries ?? [])
  if (status === 'choosing')
    return t(
      '{models, plural, one {# model} other {# models}} in {all, plural, one {# file} other {# files}}',
      { models, all },
    )
  if (status === 'importing')
    return t('{done} of {chosen, plural, one {# file} other {# files}}', { done: done + failed, chosen })
  const added = t('{done, plural, one {# model} other {# models}} added', { done })
  return failed > 0 ? t('{added} · {failed} failed', { added, failed }) : added
}

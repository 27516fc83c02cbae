import type { ArchiveEntry, ModelImport } from '@pegasus/contracts/stl-library/imports'
import { t } from '@/lib/i18n/messages.ts'
import { compareNames } from '@/lib/i18n/compare-names.ts'

const HOUR_MS = 60 * 60_000

/** Age in ms up to which finished imports are shown. */
const NEWS_MS = HOUR_MS

/** Returns whether the import is still running. */
export const isServerAtWork = ({ status }: ModelImport): boolean =>
  status === 'fetching' || status === 'importing'

/** Returns whether the import has ended. A retry may start it again. */
export const hasEnded = ({ status }: ModelImport): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled'

/**
 * Returns whether the upload tray shows an import that another page started: it is running, needs a decision, or has
 * ended recently.
 */
export function isWorthShowing(each: ModelImport, nowMs: number): boolean {
  // If the server gives no reason, a person has cancelled the import.
  if (each.status === 'cancelled') return each.error !== null
  if (each.status !== 'done' || hasFailedEntries(each)) return true
  return nowMs - Date.parse(each.updated_at) < NEWS_MS
}

/** Returns the file name. Until that is known, returns the last part of the URL. */
export function nameOfImport({ file_name, url }: Pick<ModelImport, 'file_name' | 'url'>): string {
  if (file_name) return file_name
  if (!url || !URL.canParse(url)) return url ?? t('Import')
  const { host, pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '')
  return last ? decodeOrKeep(last) : host
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const hasFailedEntries = ({ entries }: ModelImport): boolean =>
  entries?.some(({ status }) => status === 'failed') ?? false

export interface EntryCounts {
  /** Number of files in the archive. */
  all: number
  /** Number of models among the files. */
  models: number
  /** Number of selected files. */
  chosen: number
  done: number
  failed: number
}

export function countEntries(entries: readonly ArchiveEntry[]): EntryCounts {
  const count = (isCounted: (entry: ArchiveEntry) => boolean) => entries.filter(isCounted).length
  return {
    all: entries.length,
    models: count(({ format }) => format !== null),
    chosen: count(({ status }) => ['waiting', 'done', 'failed'].includes(status)),
    done: count(({ status }) => status === 'done'),
    failed: count(({ status }) => status === 'failed'),
  }
}

/**
 * Returns whether failed parts of an import can be retried: its download, or files of an archive that is
 * still stored.
 */
export function canRetryImport(each: ModelImport): boolean {
  if (each.entries === null) return each.status === 'failed' && each.source === 'url'
  return hasEnded(each) && each.status !== 'cancelled' && hasFailedEntries(each) && each.expires_at !== null
}

/** A folder of an archive with the files directly in it. The path of the top level is `''`. */
export interface ArchiveFolder {
  path: string
  entries: readonly { entry: ArchiveEntry; name: string }[]
}

/** Groups the files of an archive by folder, each in natural order: part2 before part10. */
export function foldersOf(entries: readonly ArchiveEntry[]): ArchiveFolder[] {
  const folders = new Map<string, { entry: ArchiveEntry; name: string }[]>()
  for (const entry of entries) {
    const cut = entry.name.lastIndexOf('/')
    const path = cut < 0 ? '' : entry.name.slice(0, cut)
    const inFolder = folders.get(path) ?? []
    if (inFolder.length === 0) folders.set(path, inFolder)
    inFolder.push({ entry, name: entry.name.slice(cut + 1) })
  }
  return [...folders]
    .map(([path, inFolder]) => ({
      path,
      entries: inFolder.toSorted((a, b) => compareNames(a.name, b.name)),
    }))
    .toSorted((a, b) => compareNames(a.path, b.path))
}

const ARCHIVE_NAME = /\.(zip|7z|rar|tar|gz|tgz|bz2|xz)$/i

/** Returns the reason why a file of an archive cannot be selected; null for a model. */
export function whyNotChoosable({ format, name, error }: ArchiveEntry): string | null {
  if (format !== null) return null
  if (error) return error
  if (ARCHIVE_NAME.test(name)) return t('An archive inside the archive: unpack it and upload it separately')
  return t('Not a model: neither STL, 3MF nor OBJ')
}

import { AppError } from './app-error.ts'

/**
 * Throws if a change is based on an outdated object. `asked` is the revision from `If-Match`; null accepts
 * any revision.
 */
export function assertRevision(
  asked: number | null,
  row: { revision: number },
  current: () => unknown,
): void {
  if (asked !== null && asked !== row.revision)
    throw new AppError('PRECONDITION_FAILED', { body: { current: current() } })
}

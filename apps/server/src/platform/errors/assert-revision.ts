import { AppError } from './app-error.ts'

/**
 * Throws if somebody has changed the object since the caller read it. `asked` is the revision in `If-Match`; null
 * accepts any revision.
 */
export function assertRevision(
  asked: number | null,
  row: { revision: number },
  current: () => unknown,
): void {
  if (asked !== null && asked !== row.revision)
    throw new AppError('PRECONDITION_FAILED', { body: { current: current() } })
}

import { AppError } from './app-error.ts'

/** Refuses a change of an outdated object. `asked` is the revision from `If-Match`; null changes whatever is there. */
export function assertRevision(
  asked: number | null,
  row: { revision: number },
  current: () => unknown,
): void {
  if (asked !== null && asked !== row.revision)
    throw new AppError('PRECONDITION_FAILED', { body: { current: current() } })
}

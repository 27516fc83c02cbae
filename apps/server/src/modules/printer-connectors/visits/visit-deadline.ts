import { CodedError } from '../../../platform/errors/coded-error.ts'

/** Thrown if the visit of a printer takes too long. */
class VisitTooLongError extends CodedError {
  readonly code = 'VISIT_TOO_LONG'
}

/** The time limit of a visit. */
interface VisitDeadline {
  /** Aborted with VisitTooLongError when the limit has passed. */
  signal: AbortSignal
  /** Extends the limit by this time. */
  extend(ms: number): void
  end(): void
}

export function createVisitDeadline(limitMs: number): VisitDeadline {
  const passed = new AbortController()
  const startedMs = performance.now()
  let totalMs = limitMs
  let timer: NodeJS.Timeout
  const restart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(
      () => passed.abort(new VisitTooLongError('The visit took too long.')),
      startedMs + totalMs - performance.now(),
    )
  }
  restart()
  return {
    signal: passed.signal,
    extend(ms) {
      totalMs += ms
      restart()
    },
    end: () => clearTimeout(timer),
  }
}

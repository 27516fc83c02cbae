import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import type { Candidate } from './requirements.queries.ts'

/**
 * Returns whether a printer in use waits for its agent: the agent has never called, or has not called since the printer
 * was offline. Until the agent calls, no job of the printer is printed.
 */
export const isAgentSilent = ({ kind, seen_at: seenAt, silence_of: silenceOf }: Candidate): boolean =>
  kind === 'agent' && seenAt === silenceOf

/** Returns a reason if a printer in use waits for its agent. */
export const silentAgentReasons = (printer: Candidate): MatchReason[] =>
  isAgentSilent(printer)
    ? [
        {
          code: 'offline',
          message:
            printer.seen_at === null
              ? 'Its agent has never reported.'
              : 'Its agent has not reported since the printer was put back into use.',
        },
      ]
    : []

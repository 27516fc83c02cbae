import type { ServiceLog } from '../../apps/server/src/platform/service-log.ts'

const ignore = (): void => undefined

/** Prints errors and ignores the rest. */
export const benchLog: ServiceLog = {
  debug: ignore,
  info: ignore,
  warn: (...words: unknown[]) => console.error(...words),
  error: (...words: unknown[]) => console.error(...words),
}

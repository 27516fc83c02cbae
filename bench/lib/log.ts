import type { ServiceLog } from '../../apps/server/src/platform/log/service-log.ts'

const ignore = (): void => undefined

/** A log that prints errors and ignores all other messages. */
export const benchLog: ServiceLog = {
  debug: ignore,
  info: ignore,
  warn: (...words: unknown[]) => console.error(...words),
  error: (...words: unknown[]) => console.error(...words),
}

import type { ServiceLog } from '../../apps/server/src/platform/service-log.ts'

const ignore = (): void => undefined

/** What goes wrong is shown; the rest is not what is measured. */
export const benchLog: ServiceLog = {
  debug: ignore,
  info: ignore,
  warn: (...words: unknown[]) => console.error(...words),
  error: (...words: unknown[]) => console.error(...words),
}

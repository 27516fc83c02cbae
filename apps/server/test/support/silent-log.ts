import type { ServiceLog } from '../../src/platform/log/service-log.ts'

const ignore = (): void => undefined

/** A log for parts whose output a test does not check. */
export const silentLog: ServiceLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

import type { ServiceLog } from '../../src/platform/service-log.ts'

const ignore = (): void => undefined

/** For what a test starts whose log is not part of the test. */
export const silentLog: ServiceLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

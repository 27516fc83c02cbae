import type { ServiceLog } from '../log/service-log.ts'
import type { TraceSettings } from './trace-settings.ts'
import { setTracing } from './tracing.ts'

/** Starts to record traces if they are configured. Returns a function that sends the remaining spans and stops. */
export async function startTracing(
  settings: TraceSettings | null,
  options: { version: string; log: ServiceLog },
): Promise<() => Promise<void>> {
  if (settings === null) return async () => undefined
  // Import the SDK only here: it takes time and memory, which a server without traces does not need.
  const { createTracing } = await import('./open-telemetry.ts')
  const tracing = createTracing(settings, options)
  setTracing(tracing)
  return async () => {
    await tracing.stop()
    setTracing(null)
  }
}

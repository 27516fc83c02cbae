/**
 * Logs a problem that only a developer can solve. Problems that concern users are shown on the page instead.
 */
export function logWarning(message: string, cause?: unknown): void {
  // oxlint-disable-next-line no-console -- the one place through which the web app writes to the console
  console.warn(message, cause ?? '')
}

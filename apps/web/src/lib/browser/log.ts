/** What only a developer can act on goes to the browser's console; people are told in the page. */
export function logWarning(message: string, cause?: unknown): void {
  // oxlint-disable-next-line no-console -- the one place through which the web app writes to the console
  console.warn(message, cause ?? '')
}

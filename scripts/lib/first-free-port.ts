const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/**
 * Starts a server on the first of these ports that is free. If none is free, uses any other port. Throws all errors of
 * the start, except that a port is in use.
 */
export async function startAtFreePort<T>(
  ports: readonly number[],
  start: (port: number) => Promise<T>,
): Promise<T> {
  const [port = 0, ...others] = ports
  try {
    return await start(port)
  } catch (error) {
    if (!isTaken(error) || port === 0) throw error
    return startAtFreePort(others, start)
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Starts a server on the first free one of these ports, or on any other. Throws every other error. */
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

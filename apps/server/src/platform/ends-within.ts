/** Waits at most `timeoutMs` for the promise. Returns whether it was resolved in time. */
export async function endsWithin(event: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), timeoutMs)
  try {
    return await Promise.race([event.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns true if the promise resolves within the time, and false if the time ends first. */
export async function endsWithin(event: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), timeoutMs)
  try {
    return await Promise.race([event.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
